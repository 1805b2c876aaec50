// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/script_forward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace duo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// `bias: a  hidden: b | bias -`: what takes each parameter, its own operators as "*", and what is returned; "" for
/// nothing.
std::string told(const std::string& body, const std::string& parameters, const std::string& debug)
{
    const auto forward
        = scriptForward("  def forward(s: __torch__.Net,\n    " + parameters + ") -> Tensor:\n" + body, debug);
    if (!forward)
        return {};
    std::string text;
    for (const ForwardParameter& parameter : forward->parameters) {
        text += parameter.name + (parameter.isOptional ? "?:" : ":");
        for (const std::string& child : parameter.takenBy)
            text += child.empty() ? " *" : " " + child;
        text += "  ";
    }
    text += "|";
    for (const std::string& name : forward->returned)
        text += name.empty() ? " -" : " " + name;
    return text;
}

constexpr const char* kTwo = "bias: Tensor,\n    hidden: Tensor";
constexpr const char* kDebug = "    def forward(s, bias, hidden):\n";

TEST(ScriptForward, SaysWhoTakesEachParameter)
{
    EXPECT_EQ(told("    b = s.b\n    h = torch.mul((b).forward(hidden, ), scale)\n"
                   "    if torch.__isnot__(mask, None):\n      mask0 = unchecked_cast(Tensor, mask)\n"
                   "      h0 = torch.mul(h, mask0)\n    else:\n      h0 = h\n    a = s.a\n"
                   "    _0 = (bias, torch.add(h0, (a).forward(bias, )))\n    return _0\n",
                  "bias: Tensor,\n    hidden: Tensor,\n    scale: float=2.,\n    mask: Optional[Tensor]=None",
                  "\x01    def forward(s, bias, hidden, scale: float = 2.0,q\x02X                mask=None):\n"),
        "bias: a  hidden: b  mask?: *  | bias -");
}

TEST(ScriptForward, FollowsChildrenOfChildrenAndOtherNames)
{
    EXPECT_EQ(told("    layers = s.layers\n    _0 = getattr(layers, \"0\")\n    x = hidden\n"
                   "    return torch.add((_0).forward(x, ), torch.cat([bias, x]))\n",
                  kTwo, kDebug),
        "bias: *  hidden: * layers.0  | -");
}

/// What tracing writes lists arguments as they are used, under names of values.
TEST(ScriptForward, OfTracedClassesIsNotTaken)
{
    const std::string body = "    return torch.sub(hidden, bias)\n";
    EXPECT_NE(told(body, kTwo, kDebug), "");
    EXPECT_EQ(told(body, kTwo, ""), "");
    EXPECT_EQ(told(body, kTwo, "net.py(3): forward\ntorch/jit/_trace.py(707): _trace_impl\n"), "");
    EXPECT_EQ(told(body, kTwo, std::string(kDebug) + "torch/jit/_trace.py(707): _trace_impl\n"), "");
    EXPECT_EQ(told(body, kTwo, "def forward(self, hidden, bias):\n"), ""); // of another class
    EXPECT_EQ(told(body, kTwo, "def forward(self, bias2, hidden):\n"), "");
}

TEST(ScriptForward, ThatCannotBeFollowedIsNotTaken)
{
    for (const char* body : {
             "    return (s).helper(bias, hidden, )\n", // what it does stands elsewhere
             "    _0 = (bias, hidden)\n    a, b, = _0\n    return torch.sub(a, b)\n", // kept
             "    bias = torch.relu(hidden)\n    return bias\n", // another value from here on
             "    if torch.gt(bias, 0):\n      return bias\n    return hidden\n", // either
             "    h = torch.relu(hidden)\n", // nothing is returned
             "    return torch.sub(hidden, bias\n", // cut off
             "    return torch.sub(\"hidden, bias)\n", // cut off in a text
             "    return hidden)\n",
         })
        EXPECT_EQ(told(body, kTwo, kDebug), "") << body;
    EXPECT_EQ(told("    return hidden\n", "bias: List[Tensor],\n    hidden: Tensor", kDebug), "");
}

TEST(ScriptForward, OfBrokenSourceIsNothing)
{
    for (const char* source :
        {"", "def forward(", "def forward(self", "def forward(self, x: Tensor) -> Tensor",
            "def forward(self: A, x: Tensor) -> Tensor:\n", "def forward(self: A, x: Tensor, ((((", "def forward():\n"})
        EXPECT_EQ(scriptForward(source, "def forward(self, x):"), nullptr) << source;
    std::string many = "def forward(self: A";
    for (int p = 0; p < 1000; ++p)
        many += ", x" + std::to_string(p) + ": Tensor";
    EXPECT_EQ(scriptForward(many + ") -> Tensor:\n    return x0\n", many), nullptr);
    EXPECT_EQ(scriptForward("def forward(self: A, x: Tensor) -> Tensor:\n    return " + std::string(100000, '(') + "\n",
                  "def forward(self, x):"),
        nullptr);
}

} // namespace
} // namespace duo
