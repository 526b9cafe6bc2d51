"""A pinhole camera above a table.

World: x right, y down, both in the table's plane, z up from the table; unit: one tile length. Picture: px,
x right, y down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Camera:
    """Projection `matrix` (3, 4) and the camera's place in the world (3,).

    `bend` is the lens: 0 for none, below 0 for a barrel; a point `reach_px` from `middle_px` moves by that share.
    """

    matrix: np.ndarray
    place: np.ndarray
    bend: float = 0.0
    middle_px: tuple[float, float] = (0.0, 0.0)
    reach_px: float = 1.0

    def project(self, points: np.ndarray) -> np.ndarray:
        """World points (..., 3) to pixels (..., 2)."""
        rows = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        flat = rows[..., :2] / rows[..., 2:]
        if not self.bend:
            return flat
        off = flat - self.middle_px
        return self.middle_px + off * (1 + self.bend * (off**2).sum(-1, keepdims=True) / self.reach_px**2)


def look_down(
    *,
    focal_px: float,
    tile_px: float,
    tilt_deg: float,
    towards_deg: float,
    roll_deg: float,
    centre_px: tuple[float, float],
) -> Camera:
    """A camera that sees a tile at the world's origin about `tile_px` long at `centre_px`.

    `tilt_deg` is 0 for straight above; the camera leans back in direction `towards_deg`.
    """
    distance = focal_px / tile_px
    tilt, towards, roll = (math.radians(x) for x in (tilt_deg, towards_deg, roll_deg))
    place = distance * np.array(
        [math.sin(tilt) * math.cos(towards), math.sin(tilt) * math.sin(towards), math.cos(tilt)]
    )
    forward = -place / distance
    across = np.array([-math.sin(towards), math.cos(towards), 0.0])
    down = np.cross(forward, across)
    # (across, down, forward) is right-handed with y down, as pictures are, when the world's z points at us.
    if np.linalg.det(np.stack([across, down, forward])) > 0:
        across = -across
        down = np.cross(across, forward)
    turn = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1.0]])
    rotation = turn @ np.stack([across, down, forward])
    inner = np.array([[focal_px, 0, centre_px[0]], [0, focal_px, centre_px[1]], [0, 0, 1.0]])
    matrix = inner @ np.hstack([rotation, (-rotation @ place)[:, None]])
    return Camera(matrix, place)


def draw_camera(
    rng: np.random.Generator, *, tile_px: float, size: tuple[int, int], tilt_max_deg: float = 45.0
) -> Camera:
    """A camera as people hold them: mostly near straight above, sometimes leaning. `size` is (width, height)."""
    width, height = size
    lean = abs(rng.normal(0, 14)) if rng.random() < 0.75 else rng.uniform(15, tilt_max_deg)
    # A picture may be a crop: then the focal length is long and the optical axis lies off its middle.
    return look_down(
        focal_px=max(width, height) * float(rng.uniform(0.75, 2.5)),
        tile_px=tile_px,
        tilt_deg=float(min(lean, tilt_max_deg)),
        towards_deg=float(rng.uniform(0, 360)),
        roll_deg=float(rng.uniform(0, 360)),
        centre_px=(width * float(rng.uniform(0.35, 0.65)), height * float(rng.uniform(0.35, 0.65))),
    )
