// SPDX-License-Identifier: Apache-2.0
// SharedArray: an array whose copies share their elements in blocks until one of them is written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace duo {

/// Copying costs a pointer per block, writing to a shared element one copy of its block. Reading is safe from any
/// number of threads, writing from one that no other uses this array in.
template <typename T> class SharedArray
{
public:
    class Iterator
    {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T*;
        using reference = const T&;

        Iterator() = default;
        Iterator(const SharedArray& array, std::size_t index)
            : m_array(&array)
            , m_index(index)
        {
        }
        const T& operator*() const { return (*m_array)[m_index]; }
        const T* operator->() const { return &(*m_array)[m_index]; }
        Iterator& operator++()
        {
            ++m_index;
            return *this;
        }
        Iterator operator++(int) { return std::exchange(*this, Iterator(*m_array, m_index + 1)); }
        bool operator==(const Iterator&) const = default;

    private:
        const SharedArray* m_array = nullptr;
        std::size_t m_index = 0;
    };

    SharedArray() = default;
    explicit SharedArray(std::size_t size, const T& value = T()) { assign(size, value); }

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    const T& operator[](std::size_t index) const { return m_blocks[index / kBlock][index % kBlock]; }
    T& operator[](std::size_t index)
    {
        auto& block = m_blocks[index / kBlock];
        if (block.use_count() > 1)
            block = copyOf(block);
        return block[index % kBlock];
    }
    [[nodiscard]] Iterator begin() const { return Iterator(*this, 0); }
    [[nodiscard]] Iterator end() const { return Iterator(*this, m_size); }

    void assign(std::size_t size, const T& value)
    {
        m_blocks.clear();
        m_size = 0;
        resize(size, value);
    }
    void resize(std::size_t size, const T& value = T())
    {
        m_blocks.resize((size + kBlock - 1) / kBlock);
        for (auto& block : m_blocks) {
            if (!block)
                block = std::make_shared<T[]>(kBlock);
        }
        const std::size_t old = std::exchange(m_size, size);
        for (std::size_t i = old; i < size; ++i)
            (*this)[i] = value;
    }
    void push_back(const T& value) { resize(m_size + 1, value); }

    bool operator==(const SharedArray& other) const
    {
        if (m_size != other.m_size)
            return false;
        for (std::size_t b = 0; b < m_blocks.size(); ++b) {
            const std::size_t count = std::min(kBlock, m_size - b * kBlock);
            const T* block = m_blocks[b].get();
            if (block != other.m_blocks[b].get() && !std::equal(block, block + count, other.m_blocks[b].get()))
                return false;
        }
        return true;
    }

private:
    static constexpr std::size_t kBlock = 64;
    using Block = std::shared_ptr<T[]>;

    static Block copyOf(const Block& block)
    {
        Block copy = std::make_shared<T[]>(kBlock);
        std::copy_n(block.get(), kBlock, copy.get());
        return copy;
    }

    std::vector<Block> m_blocks;
    std::size_t m_size = 0;
};

} // namespace duo
