# SPDX-License-Identifier: Apache-2.0
"""TorchScript / state_dict archives: what lies in the zip and the pickle."""
import torch, zipfile, pickletools, io, sys
sys.path.insert(0, '.')
from export_cases import *
def show(path, pk=("data.pkl",), code=True):
    z = zipfile.ZipFile(path)
    print("##", path.split("/")[-1])
    for i in z.infolist():
        off = i.header_offset
        print("  %-60s size=%d method=%d hdr_off=%d" % (i.filename, i.file_size, i.compress_type, off))
    for i in z.infolist():
        if i.filename.endswith("data.pkl"):
            b = z.read(i); out = io.StringIO(); pickletools.dis(b, out); t = out.getvalue().splitlines(); print("  pickle ops", len(t)); print("\n".join("    " + l for l in t[:70]))
        if code and i.filename.endswith(".py"):
            print("  --", i.filename); print("\n".join("    " + l for l in z.read(i).decode().splitlines()[:60]))
m = Sibling().eval(); x = torch.randn(2, 4)
torch.jit.save(torch.jit.trace(m, x), "./sib_traced.pt"); show("./sib_traced.pt")
t = Tied().eval()
torch.save(t.state_dict(), "./tied_sd.bin"); show("./tied_sd.bin", code=False)
torch.save(SharedAlias().state_dict(), "./alias_sd.pth")
torch.jit.save(torch.jit.script(nn.Sequential(nn.Conv2d(3,4,1), nn.BatchNorm2d(4))), "./seq_script.pt"); show("./seq_script.pt")
