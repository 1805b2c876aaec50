# SPDX-License-Identifier: Apache-2.0
"""The networks whose owners are measured, with random weights."""
import torch
import torchvision
import transformers
from torch import nn

NAMED = ("resnet18", "mobilenet_v2", "inception_v3", "densenet121", "swin_t", "bert")
VISION = ("vit_b_16", "convnext_tiny", "shufflenet_v2_x1_0", "mnasnet1_0", "efficientnet_b0", "regnet_y_400mf",
          "googlenet", "vgg16_bn", "squeezenet1_1")
TEXT = dict(bert=(transformers.BertModel, transformers.BertConfig, dict(num_hidden_layers=12)),
            distilbert=(transformers.DistilBertModel, transformers.DistilBertConfig, dict(n_layers=4)),
            gpt2=(transformers.GPT2LMHeadModel, transformers.GPT2Config, dict(n_layer=4, use_cache=False)),
            t5=(transformers.T5EncoderModel, transformers.T5Config, dict(num_layers=4)),
            llama=(transformers.LlamaForCausalLM, transformers.LlamaConfig,
                   dict(hidden_size=256, intermediate_size=512, num_hidden_layers=4, num_attention_heads=8,
                        num_key_value_heads=4, vocab_size=3000, use_cache=False)))


class Text(nn.Module):
    """Only the tensors of the output, so that both exporters see plain outputs."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids):
        # without a mask causal models look for packed sequences, which TorchScript cannot export
        isCausal = self.model.config.model_type in ("gpt2", "llama")
        out = self.model(input_ids=input_ids, attention_mask=torch.ones_like(input_ids) if isCausal else None)
        return out.logits if "logits" in out else out.last_hidden_state


class Pooled(Text):
    def forward(self, input_ids):
        out = self.model(input_ids=input_ids)
        return out.last_hidden_state, out.pooler_output


class LanguageModel(nn.Module):
    """Recurrent, with the embedding tied to the head."""

    def __init__(self, kind, directions):
        super().__init__()
        self.embedding = nn.Embedding(1000, 64)
        self.rnn = kind(64, 64 // directions, num_layers=2, batch_first=True, bidirectional=directions == 2)
        self.head = nn.Linear(64, 1000)
        self.head.weight = self.embedding.weight

    def forward(self, ids):
        out, _ = self.rnn(self.embedding(ids))
        return self.head(out)


def double(inside, outside):
    return nn.Sequential(nn.Conv2d(inside, outside, 3, padding=1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(),
                         nn.Conv2d(outside, outside, 3, padding=1), nn.BatchNorm2d(outside), nn.ReLU())


class UNet(nn.Module):
    """Transposed convolutions with a batch norm behind them, and a head that is used in training only."""

    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([double(3, 16), double(16, 32), double(32, 64)])
        self.up = nn.ModuleList([nn.ConvTranspose2d(64, 32, 2, stride=2), nn.ConvTranspose2d(32, 16, 2, stride=2)])
        self.up_norm = nn.ModuleList([nn.BatchNorm2d(32), nn.BatchNorm2d(16)])
        self.join = nn.ModuleList([double(64, 32), double(32, 16)])
        self.aux = nn.Conv2d(64, 4, 1)
        self.head = nn.Conv2d(16, 4, 1)

    def forward(self, x):
        skips = []
        for i, block in enumerate(self.down):
            x = block(x if i == 0 else nn.functional.max_pool2d(x, 2))
            skips.append(x)
        for up, norm, join, skip in zip(self.up, self.up_norm, self.join, skips[-2::-1]):
            x = join(torch.cat([norm(up(x)), skip], 1))
        return self.head(x)


class Waves(nn.Module):
    """Dilated 1-D convolutions under weight norm, the old one and the new one."""

    def __init__(self):
        super().__init__()
        new, old = nn.utils.parametrizations.weight_norm, nn.utils.weight_norm
        self.first = nn.Conv1d(1, 32, 7, padding=3)
        self.blocks = nn.ModuleList([new(nn.Conv1d(32, 32, 3, padding=2**i, dilation=2**i)) for i in range(3)])
        self.gates = nn.ModuleList([old(nn.Conv1d(32, 32, 1)) for _ in range(3)])
        self.last = nn.Linear(32, 16)

    def forward(self, x):
        x = self.first(x)
        for block, gate in zip(self.blocks, self.gates):
            x = x + torch.tanh(block(x)) * torch.sigmoid(gate(x))
        return self.last(x.transpose(1, 2))


class Shared(nn.Module):
    """One block three times, a scale and a table of its own, a child of a sibling called."""

    def __init__(self):
        super().__init__()
        self.scale, self.table = nn.Parameter(torch.randn(24)), nn.Parameter(torch.randn(1, 6, 24))
        self.block = nn.TransformerEncoderLayer(24, 4, 48, batch_first=True)
        self.other = nn.ModuleDict(dict(a=nn.Linear(24, 24), b=nn.GroupNorm(3, 6)))
        self.prelu = nn.PReLU(6)

    def forward(self, x):
        x = x * self.scale + self.table
        for _ in range(3):
            x = self.block(x)
        x = self.prelu(self.other["b"](self.other["a"](x)))
        return nn.functional.linear(x, self.other["a"].weight)


OWN = dict(lstm_lm=lambda: LanguageModel(nn.LSTM, 1), gru_lm=lambda: LanguageModel(nn.GRU, 2), unet=UNet,
           waves=Waves, shared=Shared)
OTHERS = VISION + ("gpt2", "distilbert", "t5", "llama") + tuple(OWN)
NAMES = NAMED + OTHERS


def live_in(model):
    """As after training. Text models stay as they are initialized, norms of ones and biases of zeros."""
    for module in model.modules():
        if isinstance(module, nn.modules.batchnorm._BatchNorm):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.uniform_(module.bias, -0.5, 0.5)
            nn.init.uniform_(module.running_mean, -0.5, 0.5)
            nn.init.uniform_(module.running_var, 0.5, 2.0)
        elif isinstance(module, nn.LayerNorm):  # two fresh ones in a row give equal values
            nn.init.uniform_(module.weight, 0.8, 1.2)
            nn.init.uniform_(module.bias, -0.2, 0.2)
        elif isinstance(module, nn.Linear) and not module.weight.any():
            nn.init.normal_(module.weight, std=0.1)  # a head of zeros makes an output of zeros
    return model.eval()


def make(name):
    """@return the network in evaluation mode, and an example of its inputs"""
    torch.manual_seed(3)
    if name in TEXT:
        kind, config, options = TEXT[name]
        wrapper = Pooled if name == "bert" else Text
        model = wrapper(kind(config(attn_implementation="eager", **options)))
        return model.eval(), (torch.randint(0, 1000, (1, 16)),)
    if name in OWN:
        shapes = dict(unet=(1, 3, 32, 32), waves=(1, 1, 64), shared=(2, 6, 24))
        example = torch.randn(shapes[name]) if name in shapes else torch.randint(0, 1000, (1, 12))
        return live_in(OWN[name]()), (example,)
    size = 299 if name == "inception_v3" else 224
    options = dict(init_weights=True) if name in ("inception_v3", "googlenet") else {}
    return live_in(getattr(torchvision.models, name)(weights=None, **options)), (torch.randn(1, 3, size, size),)
