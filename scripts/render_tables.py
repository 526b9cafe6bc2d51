"""Make path-traced pictures of game tables: `NAME.jpg` and `NAME.json` in the folder given.

With `--crowd` they are no games but tiles of several makers scattered, to train on (`--stored` of the trainings).
The scenes are planned here; each is rendered by a Python that has `bpy` (the extra `render`), named by
`--blender-python`, at a low priority.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from datasets.blender.crowd import plan_crowd
from datasets.blender.plan import plan_scene
from datasets.tables import TableSpec

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Make them. A picture that is there already is not made again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="picture k is made from seed + k")
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--out", type=Path, required=True, help="folder, made if missing")
    parser.add_argument("--size", type=int, nargs=2, default=(1920, 1080), metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--laid", type=int, nargs=2, default=(8, 70), metavar=("FEWEST", "MOST"))
    parser.add_argument("--numerals", action="store_true", help="sets with numerals too")
    parser.add_argument("--crowd", action="store_true", help="tiles of several makers scattered; no game")
    parser.add_argument("--marked", action="store_true", help="with --crowd: many markers in every picture")
    parser.add_argument("--samples", type=int, default=16)
    parser.add_argument("--nice", type=int, default=19, help="priority of the renderer, as nice counts")
    parser.add_argument("--blender-python", default=sys.executable, help="a Python that has bpy")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    spec = TableSpec(tuple(args.size), laid=tuple(args.laid), numerals=args.numerals)
    for seed in range(args.seed, args.seed + args.count):
        name = f"traced_{seed:06d}"
        picture, plan = args.out / f"{name}.jpg", args.out / f"{name}.scene"
        if picture.exists():
            continue
        scene, truth = plan_crowd(seed, spec.size, marked=args.marked) if args.crowd else plan_scene(seed, spec)
        plan.write_text(json.dumps(scene), encoding="utf-8")
        start = time.perf_counter()
        command = [args.blender_python, "-m", "datasets.blender.studio", str(plan), str(picture)]
        subprocess.run(["nice", "-n", str(args.nice), *command, "--samples", str(args.samples)], check=True, cwd=ROOT,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        plan.unlink()
        (args.out / f"{name}.json").write_text(json.dumps({"path": picture.name, **truth}), encoding="utf-8")
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
