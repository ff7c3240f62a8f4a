"""Put the kernels in C into the wheel if GRADSTEPS_COMPILED is set. Without it the wheel has no compiled part, and needs no compiler."""

import importlib.util
import os
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledKernels(BuildHookInterface):
    def initialize(self, version, build_data):
        if not os.environ.get("GRADSTEPS_COMPILED"):
            return
        source = Path(self.root) / "tensorgrad" / "kernels" / "compiled" / "build.py"
        spec = importlib.util.spec_from_file_location("build_of_kernels", source)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        build_data["artifacts"] += [path.relative_to(self.root).as_posix() for path in module.build()]
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
