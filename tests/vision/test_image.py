"""The decoder: every kind and turn gives the same picture; what can't be read says why in one line."""

from __future__ import annotations

import contextlib
import io
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pillow_heif
import pytest
from PIL import Image, ImageOps

from vision import image as reading
from vision.decoder_words import listening
from vision.errors import FAULTS, ImageUnreadable
from vision.image import open_image, pictures_in, read_image

Array = npt.NDArray[np.uint8]


def scene(width: int = 96, height: int = 64) -> Array:
    """A smooth RGB picture without any symmetry, so that a wrong turn shows; codecs hardly change it."""
    x = np.linspace(0, 1, width)[None, :]
    y = np.linspace(0, 1, height)[:, None]
    red = 40 + 170 * x + 0 * y
    green = 40 + 170 * y + 0 * x
    blue = 60 + 120 * np.exp(-(((x - 0.25) / 0.2) ** 2 + ((y - 0.3) / 0.2) ** 2))
    return np.stack([red, green, blue], 2).round().astype(np.uint8)


SCENE = scene()
PICTURE = Image.fromarray(SCENE)


def exif_block(orientation: int) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif.tobytes()


# The encoder's own threads wait for each other on a busy machine.
QUICK = {"preset": "ultrafast", "x265:pools": "none", "x265:frame-threads": "1"}


def saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    if kind == "HEIF":
        exif = options.pop("exif", None)
        heif = pillow_heif.from_pillow(picture)
        if exif is not None:
            heif.info["exif"] = exif
        heif.save(buffer, quality=95, enc_params=QUICK, **options)
    else:
        picture.save(buffer, kind, **options)
    return buffer.getvalue()


def assert_shows(image: Array, rgb: Array, tolerance: float = 2.5) -> None:
    """Same size, nearly the same colours: on average within `tolerance` levels."""
    assert image.dtype == np.uint8
    assert image.shape == rgb.shape
    assert float(np.abs(image[..., ::-1].astype(int) - rgb).mean()) < tolerance


def fault_of(source: reading.ImageInput) -> str:
    with pytest.raises(ImageUnreadable) as caught:
        read_image(source)
    text = str(caught.value)
    assert text
    assert "\n" not in text
    return caught.value.code


OPTIONS: dict[str, dict[str, object]] = {
    "JPEG": {"quality": 95, "subsampling": 0},
    "PNG": {},
    "WEBP": {"quality": 95},
    "HEIF": {},
    "TIFF": {},
    "AVIF": {"quality": 95},
}


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", sorted(OPTIONS))
def test_every_turn_in_every_kind_as_path_and_bytes(kind: str, orientation: int, tmp_path: Path) -> None:
    """What a person sees is always the scene: it is stored turned the other way."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    back = {6: 8, 8: 6}.get(orientation, orientation)
    undo = Image.Exif()
    undo[0x0112] = back
    stored = PICTURE.copy()
    stored.getexif()[0x0112] = back
    stored = ImageOps.exif_transpose(stored)
    stored.info.pop("exif", None)
    data = saved(stored, kind, exif=exif_block(orientation), **OPTIONS[kind])
    path = tmp_path / f"photo.{kind.lower()}"
    path.write_bytes(data)
    assert open_image(data).size_wh == (96, 64)
    from_bytes = read_image(data)
    assert_shows(from_bytes, SCENE)
    assert np.array_equal(read_image(path), from_bytes)
    assert np.array_equal(read_image(str(path)), from_bytes)
    assert np.array_equal(read_image(memoryview(data)), from_bytes)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("factor", [2, 4, 8])
def test_reduced_jpeg_is_turned_too(orientation: int, factor: int) -> None:
    data = saved(PICTURE, "JPEG", quality=95, exif=exif_block(orientation))
    source = open_image(data)
    small = source.reduced(factor)
    assert (small.shape[1], small.shape[0]) == tuple(-(-side // factor) for side in source.size_wh)
    whole = open_image(data)
    assert small.shape == whole.reduced(factor).shape
    want = cv2.resize(whole.full(), (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA)
    assert float(np.abs(small.astype(int) - want).mean()) < 6


def test_reduced_sides_are_rounded_up_whatever_was_decoded_first() -> None:
    data = saved(Image.fromarray(scene(101, 67)), "JPEG")
    first_small, first_full = open_image(data), open_image(data)
    first_full.full()
    for factor in (2, 4, 8):
        want = (-(-67 // factor), -(-101 // factor), 3)
        assert first_small.reduced(factor).shape == want
        assert first_full.reduced(factor).shape == want
    png = saved(Image.fromarray(scene(101, 67)), "PNG")
    assert open_image(png).reduced(4).shape == (17, 26, 3)
    with pytest.raises(ValueError, match="factor 3"):
        first_small.reduced(3)


def test_pixels_are_decoded_once() -> None:
    source = open_image(saved(PICTURE, "JPEG"))
    assert source.full() is source.full()
    assert source.reduced(2) is source.reduced(2)


# Odd but good


def _cmyk(inverted: bool) -> bytes:
    data = saved(PICTURE.convert("CMYK"), "JPEG", quality=95)
    assert b"Adobe" in data
    if inverted:
        return data
    # The same inks written plainly, by a writer that isn't Adobe: no mark, not inverted.
    plain = Image.merge("CMYK", [band.point(lambda ink: 255 - ink) for band in PICTURE.convert("CMYK").split()])
    data = saved(plain, "JPEG", quality=95)
    at = data.index(b"\xff\xee")
    return data[:at] + data[at + 2 + int.from_bytes(data[at + 2 : at + 4], "big") :]


@pytest.mark.parametrize("inverted", [True, False])
def test_cmyk_jpeg_with_and_without_adobes_mark(inverted: bool) -> None:
    assert_shows(read_image(_cmyk(inverted)), SCENE, 4)


def _wide_png(channels: int) -> bytes:
    wide = SCENE.astype(np.uint16) * 257
    opaque = np.full((64, 96), 65535, np.uint16)
    samples = {1: wide[..., 0], 3: wide[..., ::-1], 4: np.dstack([wide[..., ::-1], opaque])}
    return cv2.imencode(".png", samples[channels])[1].tobytes()


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_sixteen_bit_png(channels: int) -> None:
    want = np.repeat(SCENE[..., :1], 3, 2) if channels == 1 else SCENE
    assert_shows(read_image(_wide_png(channels)), want)


@pytest.mark.parametrize("channels", [1, 3])
def test_sixteen_bit_tiff(channels: int) -> None:
    wide = SCENE.astype(np.uint16) * 257
    pixels = wide[..., 0] if channels == 1 else wide[..., ::-1]
    want = np.repeat(SCENE[..., :1], 3, 2) if channels == 1 else SCENE
    assert_shows(read_image(cv2.imencode(".tiff", pixels)[1].tobytes()), want)


def test_float_tiff() -> None:
    data = cv2.imencode(".tiff", SCENE[..., ::-1].astype(np.float32) / 255)[1].tobytes()
    assert_shows(read_image(data), SCENE)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "HEIF", "BMP", "GIF"])
def test_grey(kind: str) -> None:
    grey = PICTURE.convert("L")
    assert_shows(read_image(saved(grey, kind)), np.repeat(np.asarray(grey)[..., None], 3, 2))


@pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP", "TIFF"])
def test_palette(kind: str) -> None:
    palette = PICTURE.convert("P", palette=Image.Palette.ADAPTIVE)
    assert_shows(read_image(saved(palette, kind)), SCENE, 8)


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF", "HEIF"])
def test_transparent_lies_on_white(kind: str) -> None:
    clear = PICTURE.convert("RGBA")
    alpha = Image.new("L", clear.size, 255)
    alpha.paste(0, (0, 0, 48, 64))
    clear.putalpha(alpha)
    options: dict[str, object] = {"lossless": True} if kind == "WEBP" else {}
    image = read_image(saved(clear, kind, **options))
    assert image[:, :40].min() > 240
    assert_shows(image[:, 56:], SCENE[:, 56:])


def test_transparent_colour_of_a_palette_lies_on_white() -> None:
    palette = Image.new("P", (4, 4), 0)
    palette.putpalette([200, 0, 0, 0, 0, 200])
    palette.putpixel((1, 1), 1)
    image = read_image(saved(palette, "PNG", transparency=0))
    assert image[0, 0].tolist() == [255, 255, 255]
    assert image[1, 1].tolist() == [200, 0, 0]


def test_an_alpha_that_hides_everything_is_a_writers_mistake() -> None:
    clear = PICTURE.convert("RGBA")
    clear.putalpha(0)
    assert_shows(read_image(saved(clear, "PNG")), SCENE)


def test_progressive_jpeg() -> None:
    assert_shows(read_image(saved(PICTURE, "JPEG", progressive=True, quality=95)), SCENE)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG", "TIFF"])
def test_first_frame_of_several(kind: str) -> None:
    """Animated GIF, WebP and PNG, and a TIFF of pages."""
    others = [Image.new("RGB", PICTURE.size, (255, 0, 0))]
    data = saved(PICTURE, kind, save_all=True, append_images=others)
    assert_shows(read_image(data), SCENE, 10 if kind == "GIF" else 4)


@pytest.mark.parametrize("name", ["deux photos à table.jpg", "ñandú #1 (2).JPG", "駅.jpeg", "no ending"])
def test_names_with_spaces_and_accents(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(saved(PICTURE, "JPEG"))
    assert_shows(read_image(path), SCENE, 4)


def test_what_it_is_decides_not_what_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "really-a-png.jpg"
    path.write_bytes(saved(PICTURE, "PNG"))
    assert_shows(read_image(path), SCENE)


def _with_exif(kind: str, block: bytes) -> bytes:
    if kind != "PNG":
        return saved(PICTURE, kind, exif=block)
    data = saved(PICTURE, "PNG")
    chunk = struct.pack(">I4s", len(block), b"eXIf") + block + b"\xde\xad\xbe\xef"  # its checksum is wrong too
    at = data.index(b"IDAT") - 4
    return data[:at] + chunk + data[at:]


DAMAGED_EXIF = {
    "noise": b"Exif\0\0" + bytes(range(7, 207)),
    "no entries": b"Exif\0\0MM\0*\0\0\0\x08\xff\xff",
    "far pointer": b"Exif\0\0II*\0\xf0\xff\xff\xff",
    "orientation 77": exif_block(1).replace(b"\x00\x01\x00\x00\x00\x01", b"\x00\x01\x00\x00\x00\x4d", 1),
    "cut": exif_block(6)[:17],
    "nothing": b"Exif\0\0",
}


@pytest.mark.parametrize("damage", sorted(DAMAGED_EXIF))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_damaged_metadata_do_not_spoil_the_photo(kind: str, damage: str) -> None:
    assert_shows(read_image(_with_exif(kind, DAMAGED_EXIF[damage])), SCENE, 4)


def test_damaged_profile_and_text_do_not_spoil_a_png() -> None:
    data = saved(PICTURE, "PNG")
    at = data.index(b"IDAT") - 4
    chunks = b""
    for name, body in ((b"iCCP", b"x\0\0not deflated"), (b"zTXt", b"k\0\0" + zlib.compress(bytes(200_000_000))[:5000])):
        chunks += struct.pack(">I4s", len(body), name) + body + struct.pack(">I", zlib.crc32(name + body))
    assert_shows(read_image(data[:at] + chunks + data[at:]), SCENE)


def test_tiff_with_a_pointer_into_nowhere() -> None:
    data = bytearray(saved(PICTURE, "TIFF", exif=exif_block(1)))
    order = "<" if data[:2] == b"II" else ">"
    (ifd,) = struct.unpack_from(order + "I", data, 4)
    (count,) = struct.unpack_from(order + "H", data, ifd)
    last = ifd + 2 + 12 * (count - 1)
    struct.pack_into(order + "HHII", data, last, 0x8769, 4, 1, 0xFFFFFFF0)  # the EXIF directory, far out
    assert_shows(read_image(bytes(data)), SCENE)


# JPEGs that were cut


def _big_jpeg(**options: object) -> bytes:
    noisy = scene(320, 240).astype(np.int16) + np.random.default_rng(3).integers(-20, 20, (240, 320, 3))
    return saved(Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)), "JPEG", quality=90, **options)


JPEG_KINDS: dict[str, dict[str, object]] = {
    "baseline": {},
    "optimised": {"optimize": True},
    "progressive": {"progressive": True},
    "restart marks": {"restart_marker_rows": 1},
    "grey": {},
}


def _jpeg_of(kind: str) -> bytes:
    if kind == "grey":
        return saved(Image.open(io.BytesIO(_big_jpeg())).convert("L"), "JPEG")
    return _big_jpeg(**JPEG_KINDS[kind])


@pytest.mark.parametrize("kind", sorted(JPEG_KINDS))
@pytest.mark.parametrize("tail", [b"", b"\0" * 5000, b"\xff", b"\r\n"])
def test_only_the_end_mark_is_missing(kind: str, tail: bytes) -> None:
    data = _jpeg_of(kind)
    assert data.endswith(b"\xff\xd9")
    assert np.array_equal(read_image(data[:-2] + tail), read_image(data))
    assert np.array_equal(open_image(data[:-2] + tail).reduced(4), open_image(data).reduced(4))


@pytest.mark.parametrize("kind", sorted(JPEG_KINDS))
@pytest.mark.parametrize("share", [0.999, 0.9, 0.5])
@pytest.mark.parametrize("tail", ["nothing", "zeros"])
def test_rows_are_missing(kind: str, share: float, tail: str) -> None:
    data = _jpeg_of(kind)
    keep = min(int(len(data) * share), len(data) - 40)
    cut = data[:keep] + (bytes(len(data) - keep) if tail == "zeros" else b"")
    assert fault_of(cut) == "cut_short"


@pytest.mark.parametrize("kind", ["baseline", "optimised", "restart marks", "grey"])
def test_rows_are_missing_before_an_end_mark(kind: str) -> None:
    data = _jpeg_of(kind)
    assert fault_of(data[: len(data) // 2] + b"\xff\xd9") == "cut_short"


def test_a_mark_in_the_middle_of_the_rows_ends_them() -> None:
    data = _big_jpeg()
    half = len(data) // 2
    assert fault_of(data[:half] + b"\xff\xe5\0\x04ab" + data[half:]) == "cut_short"


def test_cut_inside_the_header() -> None:
    data = _big_jpeg()
    for keep in (3, 20, 200, 400):
        assert fault_of(data[:keep]) in ("damaged", "cut_short")


def test_a_grey_corner_is_not_a_missing_row() -> None:
    pixels = scene(320, 240)
    pixels[200:] = 128
    assert read_image(saved(Image.fromarray(pixels), "JPEG", quality=95)).shape == (240, 320, 3)


@pytest.mark.parametrize("more", [b"MPF trailer", b"\0\0\0\x18ftypmp42" + bytes(2000), b"\xff\xd8\xff\xe0rubbish"])
def test_what_follows_the_picture_is_no_part_of_it(more: bytes) -> None:
    """Moving photos, depth maps and makers' notes stand behind the end mark."""
    data = _big_jpeg()
    assert np.array_equal(read_image(data + more), read_image(data))


def test_a_thumbnail_is_not_the_picture() -> None:
    thumbnail = saved(Image.new("RGB", (16, 12), (255, 0, 0)), "JPEG")
    data = _big_jpeg()
    body = b"Exif\0\0" + thumbnail
    segment = b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body
    assert open_image(data[:2] + segment + data[2:]).size_wh == (320, 240)
    assert fault_of(data[:2] + segment + data[2 : len(data) // 2]) == "cut_short"


def test_nothing_is_printed_about_a_cut_jpeg(tmp_path: Path) -> None:
    path = tmp_path / "cut.jpg"
    path.write_bytes(_big_jpeg()[:-3000])
    program = "import sys; from vision.image import read_image\ntry: read_image(sys.argv[1])\nexcept Exception: pass"
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout + done.stderr == ""


def test_nothing_is_printed_about_a_cut_tiff(capfd: pytest.CaptureFixture[str]) -> None:
    data = saved(PICTURE, "TIFF")
    assert fault_of(data[: len(data) // 2]) in ("cut_short", "damaged")
    assert "".join(capfd.readouterr()) == ""


@pytest.mark.parametrize(
    ("options", "instead"), [({"restart_marker_rows": 1}, bytes(400)), ({"progressive": True}, b"")], ids=str
)
def test_a_hole_in_a_jpeg_is_told_and_read(
    options: dict[str, object], instead: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    """Zeros, or nothing, where a broken transfer or a worn card lost 400 bytes."""
    noise = np.random.default_rng(2).integers(0, 60, (640, 960, 1), np.uint8)
    whole = saved(Image.fromarray(scene(960, 640) + noise), "JPEG", quality=90, **options)
    middle = len(whole) // 2
    sound, broken = open_image(whole), open_image(whole[:middle] + instead + whole[middle + 400 :])
    assert sound.full().shape == broken.full().shape
    assert not np.array_equal(sound.full(), broken.full())
    assert (sound.damaged, broken.damaged) == (False, True)
    assert "".join(capfd.readouterr()) == ""


def test_what_others_say_meanwhile_is_not_swallowed(capfd: pytest.CaptureFixture[str]) -> None:
    with listening((b"Corrupt",)) as words:
        os.write(2, b"something else\nCorrupt data\nand more\n")
    assert words.lines == [b"Corrupt data\n"]
    assert capfd.readouterr().err == "something else\nand more\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.timeout(20)
def test_a_pipe_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    assert fault_of(tmp_path / "pipe.jpg") == "not_a_file"


# Bad


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "HEIF", "TIFF", "GIF", "BMP", "AVIF"])
def test_other_kinds_cut_in_half(kind: str) -> None:
    noisy = np.random.default_rng(1).integers(0, 255, (120, 160, 3), np.uint8)
    data = saved(Image.fromarray(noisy), kind)
    assert fault_of(data[: len(data) // 2]) in ("cut_short", "damaged")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"three dominoes and a biscuit\n" * 30, "not_a_picture"),
        (b"%PDF-1.7\n" + bytes(2000), "not_a_picture"),
        (b"\xff\xd8\xff", "damaged"),
        (b"\xff\xd8\xff\xe0" + bytes(500), "damaged"),
        (b"\x89PNG\r\n\x1a\n", "damaged"),
        (b"\x89PNG\r\n\x1a\n" + b"\xff" * 400, "damaged"),
        (b"II*\0" + b"\xff" * 400, "damaged"),
        (b"GIF89a" + bytes(10), "damaged"),
        (b"RIFF\x20\0\0\0WEBP" + bytes(40), "damaged"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(300), "damaged"),
        (b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + bytes(300), "is_film"),
        (b"\0\0\0\x14ftypqt  \0\0\0\0qt  " + bytes(300), "is_film"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value[:12]),
)
def test_not_a_picture(data: bytes, code: str, tmp_path: Path) -> None:
    assert fault_of(data) == code
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    assert fault_of(path) == code


def test_no_file_a_folder_a_device(tmp_path: Path) -> None:
    assert fault_of(tmp_path / "nobody.jpg") == "no_such_file"
    assert fault_of(tmp_path) == "is_folder"
    assert fault_of("name\0with a zero.jpg") == "disk_failed"
    assert fault_of("") == "no_name"
    if os.path.exists("/dev/zero"):
        assert fault_of("/dev/zero") == "not_a_file"
    loop = tmp_path / "loop.jpg"
    try:
        loop.symlink_to(loop)
    except OSError:
        return
    assert fault_of(loop) == "disk_failed"


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.jpg"
    path.write_bytes(saved(PICTURE, "JPEG"))
    path.chmod(0)
    if os.access(path, os.R_OK):  # the super-user reads anything: let the system's refusal be played

        def refuse(*_args: object, **_options: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
    assert fault_of(path) == "no_permission"


def _png_head(width: int, height: int) -> bytes:
    """A PNG that says it is this large, with a hundred bytes of data."""
    parts = [b"\x89PNG\r\n\x1a\n"]
    body = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    for name, content in ((b"IHDR", body), (b"IDAT", zlib.compress(bytes(10_000))), (b"IEND", b"")):
        parts.append(struct.pack(">I4s", len(content), name) + content + struct.pack(">I", zlib.crc32(name + content)))
    return b"".join(parts)


def _jpeg_saying(width: int, height: int) -> bytes:
    data = bytearray(_big_jpeg())
    at = data.index(b"\xff\xc0")
    struct.pack_into(">HH", data, at + 5, height, width)
    return bytes(data)


@pytest.mark.parametrize(
    "data", [_png_head(13_000, 10_000), _jpeg_saying(13_000, 10_000), _png_head(60_000, 60_000)], ids=len
)
def test_over_the_limit_is_refused_undecoded(data: bytes) -> None:
    with pytest.raises(ImageUnreadable) as caught:
        open_image(data)
    assert caught.value.code == "too_large"
    assert caught.value.params["limit"] == 120
    assert int(caught.value.params["megapixels"]) in (130, 3600)
    assert "120" in str(caught.value)


def test_just_over_the_limit_is_not_called_the_limit() -> None:
    with pytest.raises(ImageUnreadable) as caught:
        open_image(_jpeg_saying(12_001, 10_000))
    assert caught.value.params["megapixels"] == 121


def test_tiff_and_webp_over_the_limit() -> None:
    tiff = saved(Image.new("1", (12_000, 10_100)), "TIFF", compression="group4")
    assert fault_of(tiff) == "too_large"
    gif = bytearray(saved(PICTURE, "GIF"))
    struct.pack_into("<HH", gif, 6, 60_000, 60_000)
    assert fault_of(bytes(gif)) == "too_large"


def test_a_bomb_is_refused_undecoded() -> None:
    assert fault_of(_png_head(9_000, 9_000)) == "bomb"
    assert fault_of(saved(Image.new("1", (9_000, 9_000)), "TIFF", compression="group4")) == "bomb"


def test_a_flat_picture_is_no_bomb() -> None:
    for kind in ("PNG", "JPEG"):
        assert read_image(saved(Image.new("RGB", (4000, 3000), (90, 140, 60)), kind)).shape == (3000, 4000, 3)
    lens_cap = saved(Image.new("RGB", (8000, 6000)), "JPEG")
    assert open_image(lens_cap).size_wh == (8000, 6000)


def test_a_raw_file_says_what_to_do() -> None:
    from PIL import TiffImagePlugin

    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags[50706] = b"\x01\x04\0\0"
    assert fault_of(saved(PICTURE, "TIFF", tiffinfo=tags)) == "is_raw"


def test_every_fault_has_a_sentence_and_a_code() -> None:
    for code, sentence in FAULTS.items():
        assert code == code.lower()
        assert sentence == sentence.strip()


# Folders


def test_pictures_of_a_folder_in_natural_order(tmp_path: Path) -> None:
    wanted = ["IMG_1.jpg", "img_2.JPG", "IMG_10.Jpeg", "photo.jpg", "photo2.jpg", "photo à 3.heic", "z.PNG"]
    for name in [*reversed(wanted), ".hidden.jpg", "._IMG_1.jpg", "Thumbs.db", ".DS_Store", "film.mp4", "film.MOV"]:
        (tmp_path / name).write_bytes(b"x")
    for name in ("notes.txt", "IMG_1.AAE", "truth.json", "~$x.jpg", "no ending", "raw.dng"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "folder.jpg").mkdir()
    assert [path.name for path in pictures_in(tmp_path)] == wanted
    assert pictures_in(str(tmp_path)) == pictures_in(tmp_path)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ImageUnreadable, match="no such file"):
        pictures_in(tmp_path / "nowhere")
    assert pictures_in(tmp_path) == []


READERS: list[Callable[[bytes], object]] = [read_image, lambda data: open_image(data).reduced(4)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "GIF", "HEIF"])
def test_damage_anywhere_is_a_picture_or_one_clear_error(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = bytearray(saved(PICTURE, kind))
    for _ in range(30):
        damaged = data.copy()
        for at in rng.integers(3, len(data), int(rng.integers(1, 12))):
            damaged[at] = rng.integers(256)
        for read in READERS:
            with contextlib.suppress(ImageUnreadable):
                read(bytes(damaged))
