// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/pickle.h"

#include "tests/support/pickle_text.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

namespace p = test::pickle;
using namespace std::string_literals; // texts with zero bytes

SharedBytes bytesOf(const std::string& text)
{
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return SharedBytes::own({bytes.begin(), bytes.end()});
}

Result<Pickle> parse(const std::string& text)
{
    return Pickle::parse(bytesOf(text), "data.pkl");
}

std::string parseError(const std::string& text)
{
    const auto pickle = parse(text);
    return pickle ? "no error" : pickle.error().line();
}

/// The value as Python would print its source; calls and objects as they are written, never made.
std::string printed(const Pickle& pickle, PickleId id)
{
    const PickleValue& value = pickle[id];
    const auto list = [&](std::span<const PickleId> items) {
        std::string out;
        for (const PickleId item : items)
            out += (out.empty() ? "" : ", ") + printed(pickle, item);
        return out;
    };
    switch (value.kind) {
    case PickleKind::None:
        return "None";
    case PickleKind::Bool:
        return value.truth ? "True" : "False";
    case PickleKind::Int:
        return std::to_string(value.integer);
    case PickleKind::Float:
        return std::to_string(value.real);
    case PickleKind::Text:
        return "'" + std::string(value.text) + "'";
    case PickleKind::Bytes:
        return "b" + std::to_string(value.text.size());
    case PickleKind::Tuple:
        return "(" + list(value.items) + ")";
    case PickleKind::List:
        return "[" + list(value.items) + "]";
    case PickleKind::Set:
    case PickleKind::Dict:
        return "{" + list(value.items) + "}";
    case PickleKind::Global:
        return std::string(value.text) + "." + std::string(value.name);
    case PickleKind::Call:
    case PickleKind::Object:
        return printed(pickle, value.callee) + printed(pickle, value.arguments)
            + (value.items.empty() ? "" : "{" + list(value.items) + "}")
            + (value.state == kNoPickle ? "" : "<-" + printed(pickle, value.state));
    case PickleKind::Persistent:
        return "persistent " + printed(pickle, value.callee);
    }
    return "?";
}

std::string printed(const std::string& text)
{
    const auto pickle = parse(text);
    return pickle ? printed(*pickle, pickle->root()) : pickle.error().line();
}

TEST(Pickle, ReadsPlainValues)
{
    EXPECT_EQ(printed(p::whole("(NK\x07M\x01\x02J\xFF\xFF\xFF\xFF\x88\x89t")), "(None, 7, 513, -1, True, False)");
    EXPECT_EQ(printed(p::whole("G\xBF\xF8\0\0\0\0\0\0"s)), "-1.500000");
    EXPECT_EQ(printed(p::whole(p::text("a b"))), "'a b'");
    EXPECT_EQ(printed(p::whole("C\x03"
                               "abc")),
        "b3");
}

TEST(Pickle, ReadsLongIntegersAsTwosComplement)
{
    EXPECT_EQ(printed(p::whole("\x8a\x00"s)), "0");
    EXPECT_EQ(printed(p::whole("\x8a\x01\xFF")), "-1");
    EXPECT_EQ(printed(p::whole("\x8a\x02\xFF\x00"s)), "255");
    EXPECT_EQ(printed(p::whole(p::integer(INT64_MIN))), "-9223372036854775808");
    EXPECT_EQ(printed(p::whole("\x8a\x09"
                               "123456789")),
        "b9");
}

TEST(Pickle, ReadsContainersInOrder)
{
    EXPECT_EQ(printed(p::whole("](K\x01K\x02"
                               "eK\x03"
                               "a")),
        "[1, 2, 3]");
    EXPECT_EQ(printed(p::whole(p::dict({{"b", "K\x01"}, {"a", "N"}}))), "{'b', 1, 'a', None}");
    EXPECT_EQ(printed(p::whole("K\x01K\x02\x86K\x03\x85\x86")), "((1, 2), (3))");
    EXPECT_EQ(printed("\x80\x04\x8f(K\x01K\x02\x90."), "{1, 2}");
}

TEST(Pickle, RemembersValuesInBothWays)
{
    EXPECT_EQ(printed(p::whole("(" + p::text("x") + "q\x05h\x05t")), "('x', 'x')");
    EXPECT_EQ(printed("\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00(\x8c\x01x\x94h\x00t."s), "('x', 'x')");
    EXPECT_EQ(printed(p::whole("(Nr\xF0\xFF\xFF\xFFj\xF0\xFF\xFF\xFFt"s)), "(None, None)");
}

TEST(Pickle, NeverCallsWhatItNames)
{
    EXPECT_EQ(printed(p::whole(p::call("os", "system", {p::text("rm -rf /")}))), "os.system('rm -rf /')");
    EXPECT_EQ(printed("\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x02ls\x85R."), "os.system('ls')");
    EXPECT_EQ(printed(p::whole(p::object("m", "Evil", p::dict({{"a", "N"}})))), "m.Evil()<-{'a', None}");
}

TEST(Pickle, KeepsWhatIsAddedToACall)
{
    const std::string ordered = p::call("collections", "OrderedDict", {}) + "(" + p::text("k") + "K\x01u";
    const auto pickle = parse(p::whole(ordered));
    ASSERT_TRUE(pickle);
    EXPECT_EQ(pickle->pairs(pickle->root()).size(), 2U);
    EXPECT_EQ(pickle->integer(pickle->find(pickle->root(), "k")), 1);
    EXPECT_EQ(pickle->find(pickle->root(), "other"), kNoPickle);
}

TEST(Pickle, AnObjectThatGotItemsInBothWaysIsNoDict)
{
    const auto pickle = parse(p::whole(p::call("m", "Odd", {}) + "(NNu" + "(Ne" + "(NNu"));
    ASSERT_TRUE(pickle);
    EXPECT_TRUE(pickle->pairs(pickle->root()).empty());
}

TEST(Pickle, ALaterEntryOfTheSameKeyCounts)
{
    const auto pickle = parse(p::whole(p::dict({{"k", "K\x01"}, {"k", "K\x02"}})));
    ASSERT_TRUE(pickle);
    EXPECT_EQ(pickle->integer(pickle->find(pickle->root(), "k")), 2);
}

TEST(Pickle, AcceptsAValueThatHoldsItself)
{
    const auto pickle = parse(p::whole("]q\x01h\x01"
                                       "a"));
    ASSERT_TRUE(pickle);
    EXPECT_EQ(pickle->sequence(pickle->root())[0], pickle->root());
}

TEST(Pickle, RefusesWhatEndsEarly)
{
    EXPECT_EQ(parseError(""), "pickle cannot be read: data.pkl byte 0: it ends without STOP");
    EXPECT_EQ(parseError("\x80\x02N"), "pickle cannot be read: data.pkl byte 3: it ends without STOP");
    EXPECT_EQ(parseError("\x80\x02X\xFF\xFF\xFF\x7F"
                         "abc"s),
        "pickle cannot be read: data.pkl byte 2: it ends in the middle of a value");
    EXPECT_EQ(parseError("\x80\x02"
                         "cos\nsystem"),
        "pickle cannot be read: data.pkl byte 2: it ends in the middle of a value");
}

TEST(Pickle, RefusesAStackThatIsTooShort)
{
    EXPECT_EQ(parseError("\x80\x02."), "pickle cannot be read: data.pkl byte 2: its stack is empty");
    EXPECT_EQ(parseError("\x80\x02NR."), "pickle cannot be read: data.pkl byte 3: its stack is empty");
    EXPECT_EQ(parseError("\x80\x02Nt."), "pickle cannot be read: data.pkl byte 3: it has no mark");
    EXPECT_EQ(parseError("\x80\x02N(R."), "pickle cannot be read: data.pkl byte 4: its stack is empty");
    EXPECT_EQ(parseError("\x80\x02}(Nu."), "pickle cannot be read: data.pkl byte 5: a key has no value");
}

TEST(Pickle, RefusesNonsense)
{
    EXPECT_EQ(
        parseError("\x80\x02h\x07."), "pickle cannot be read: data.pkl byte 2: it recalls what it has not remembered");
    EXPECT_EQ(parseError("\x80\x02NNa."), "pickle cannot be read: data.pkl byte 4: it adds items to what holds none");
    EXPECT_EQ(parseError("\x80\x02NNb."), "pickle cannot be read: data.pkl byte 4: it sets the state of what has none");
    EXPECT_EQ(parseError("\x80\x04NN\x93."), "pickle cannot be read: data.pkl byte 4: a name is no text");
    EXPECT_EQ(parseError("\x80\x09N."), "pickle has an unknown protocol: data.pkl: 9; 2 to 5 are read");
    EXPECT_EQ(parseError("\x80\x02I5\n."),
        "pickle has an opcode that is not read: data.pkl byte 2: 0x49; save it again with torch.save");
}

TEST(Pickle, BoundsItsStack)
{
    EXPECT_EQ(parseError("\x80\x02" + std::string(2 << 20, '(')),
        "pickle cannot be read: data.pkl byte 1048578: it is nested too deeply");
    EXPECT_EQ(parseError("\x80\x02N" + std::string(2 << 20, '2')),
        "pickle cannot be read: data.pkl byte 1048578: it is nested too deeply");
}

TEST(Pickle, BoundsItsValues)
{
    std::string many = "\x80\x02";
    for (std::size_t i = 0; i <= Pickle::kMaxValues; ++i)
        many += "N0";
    EXPECT_EQ(parseError(many), "pickle has too many values: data.pkl: at most 4 million are read");
}

TEST(Pickle, ReadsATowerOfListsWithoutRecursion)
{
    const std::string tower(500000, ']');
    EXPECT_TRUE(parse("\x80\x02" + tower + std::string(499999, 'a') + "."));
}

TEST(Pickle, StopsWhenAsked)
{
    std::stop_source stop;
    stop.request_stop();
    const auto pickle = Pickle::parse(
        bytesOf("\x80\x02" + std::string(10000, 'N') + "."), "data.pkl", JobContext{stop.get_token(), {}});
    ASSERT_FALSE(pickle);
    EXPECT_EQ(pickle.error(), cancelledError());
}

} // namespace
} // namespace duo
