"""The sample photo reads the same whatever file it comes in: every turn, every kind, every oddity."""

from __future__ import annotations

import io
import json
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pillow_heif
import pytest
from PIL import Image

from server.compose import open_reader
from vision.image import read_image
from vision.reader import PhotoReader, ReadOptions

FOLDER = files("server") / "check"
ANSWER = json.loads((FOLDER / "hand.json").read_text("utf-8"))
BACK = {6: 8, 8: 6}
UNDO = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
# The encoder's own threads wait for each other on a busy machine.
QUICK = {"preset": "ultrafast", "x265:pools": "none", "x265:frame-threads": "1"}
KINDS = ("JPEG", "PNG", "WEBP", "HEIF", "TIFF", "AVIF")


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    return open_reader()


@pytest.fixture(scope="module")
def photo() -> Image.Image:
    """The sample at two thirds of its size, to be quick."""
    with Image.open(io.BytesIO((FOLDER / "hand.jpg").read_bytes())) as opened:
        return opened.convert("RGB").resize((1066, 800), Image.Resampling.LANCZOS)


def stored(photo: Image.Image, kind: str, orientation: int) -> bytes:
    """A file of this kind that shows the photo upright only when its orientation is applied."""
    turned = photo.transpose(UNDO[BACK.get(orientation, orientation)]) if orientation > 1 else photo
    exif = Image.Exif()
    exif[0x0112] = orientation
    return _saved(turned, kind, exif=exif.tobytes())


def _saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    if kind == "HEIF":
        heif = pillow_heif.from_pillow(picture)
        heif.info.update(options)
        heif.save(buffer, quality=92, enc_params=QUICK)
    else:
        picture.save(buffer, kind, **({"quality": 92} if kind != "PNG" else {}), **options)
    return buffer.getvalue()


def assert_right(reader: PhotoReader, data: bytes) -> None:
    reading = reader.read(read_image(data), ReadOptions(set_size=ANSWER["set"]))
    seen = Counter(tuple(sorted(-1 if end is None else end for end in tile.ends)) for tile in reading.tiles)
    assert seen == Counter(tuple(sorted(tile)) for tile in ANSWER["tiles"])


# All eight turns as JPEG; each other kind that carries one, in two turns, one of them mirrored.
CASES = [("JPEG", orientation) for orientation in range(1, 9)] + [(kind, o) for kind in KINDS[1:] for o in (6, 7)]


@pytest.mark.parametrize(("kind", "orientation"), CASES)
def test_every_turn(kind: str, orientation: int, reader: PhotoReader, photo: Image.Image, tmp_path: Path) -> None:
    data = stored(photo, kind, orientation)
    assert_right(reader, data)
    path = tmp_path / "à photo.bin"
    path.write_bytes(data)
    assert (read_image(path) == read_image(data)).all()


@pytest.mark.parametrize("oddity", ["grey", "cmyk", "palette", "transparent", "progressive", "half the size"])
def test_oddities(oddity: str, reader: PhotoReader, photo: Image.Image) -> None:
    data = {
        "grey": lambda: _saved(photo.convert("L"), "JPEG"),
        "cmyk": lambda: _saved(photo.convert("CMYK"), "JPEG"),
        "palette": lambda: _saved(photo.quantize(256), "PNG"),
        "transparent": lambda: _saved(photo.convert("RGBA"), "PNG"),
        "progressive": lambda: _saved(photo, "JPEG", progressive=True),
        "half the size": lambda: _saved(photo.resize((533, 400), Image.Resampling.LANCZOS), "JPEG"),
    }[oddity]()
    assert_right(reader, data)
