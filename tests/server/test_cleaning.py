"""What a phone writes beside the pixels is cut before a photo first touches the disk."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from server.cleaning import cleaned
from server.services import Services
from tests.server.conftest import Person, new_game
from tests.server.pictures import hand_photo
from vision.image import open_image, read_image

SECRET = b"SecretPhoneMaker"


def exif(turn: int = 1) -> bytes:
    made = Image.Exif()
    made[0x010F] = SECRET.decode()
    made[0x0112] = turn
    made.get_ifd(0x8825)[2] = (48.0, 12.0, 0.5)
    return made.tobytes()


def photo(fmt: str, **options: object) -> bytes:
    image = Image.effect_noise((320, 200), 60).convert("RGB")
    buffer = io.BytesIO()
    if fmt == "PNG":
        text = PngImagePlugin.PngInfo()
        text.add_text("Comment", SECRET.decode())
        options["pnginfo"] = text
    image.save(buffer, fmt, exif=exif(int(str(options.pop("turn", 1)))), **options)  # type: ignore[arg-type]
    return buffer.getvalue()


@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize("progressive", [False, True], ids=["baseline", "progressive"])
def test_a_jpeg_loses_its_notes_and_not_a_pixel(turn: int, progressive: bool) -> None:
    given = photo("JPEG", turn=turn, quality=90, progressive=progressive, comment=SECRET, icc_profile=SECRET * 9)
    left = cleaned(given + b"\xff\xe1" + SECRET + b"the film of a moving photo")
    assert SECRET in given
    assert SECRET not in left
    assert np.array_equal(read_image(left), read_image(given))
    notes = dict(Image.open(io.BytesIO(left)).getexif())
    assert notes == ({} if turn == 1 else {0x0112: turn})


def test_a_preview_between_the_markers_goes_too() -> None:
    inner = photo("JPEG")
    given = photo("JPEG", quality=90)
    preview = b"\xff\xe2" + (len(inner) + 2).to_bytes(2, "big") + inner
    assert len(inner) < 65_000
    left = cleaned(given[:2] + preview + given[2:])
    assert np.array_equal(read_image(left), read_image(given))
    assert len(left) < len(given)


@pytest.mark.parametrize("fmt", ["PNG", "WEBP", "TIFF", "AVIF"])
def test_other_kinds_are_written_anew_upright_and_without_loss(fmt: str) -> None:
    if fmt == "AVIF" and "AVIF" not in Image.SAVE:
        pytest.skip("this Pillow writes no AVIF")
    given = photo(fmt, turn=6)
    left = cleaned(given)
    assert SECRET in given
    assert SECRET not in left
    assert np.array_equal(read_image(left), read_image(given))


def test_a_file_that_lacks_its_end_stays_what_it_is() -> None:
    given = photo("JPEG", quality=90)[:-2]
    left = cleaned(given)
    assert np.array_equal(read_image(left), read_image(given))
    assert open_image(cleaned(given[: len(given) * 2 // 3])).size_wh == (320, 200)


def test_nothing_of_it_reaches_the_disk_while_a_photo_waits_or_fails(
    person: Callable[..., Person], services: Services, tmp_path: Path
) -> None:
    host = new_game(person, one_phone=True)
    kept = services.photos._submit
    services.photos._submit = lambda *_: None  # type: ignore[method-assign]  # it waits for ever
    waiting = host.snap("A", hand_photo([(1, 2)], exif=exif()))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.stem == waiting for path in files)
    assert not any(SECRET in path.read_bytes() for path in files)
    services.photos._submit = kept  # type: ignore[method-assign]
    failing = host.snap("A", photo("JPEG"))
    assert host.read(failing)["photos"][-1]["state"] == "failed"
    assert not any(SECRET in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
