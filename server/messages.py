"""From a code and its parameters to a sentence, in the person's language."""

from __future__ import annotations

import functools
import locale
import tomllib
from collections.abc import Mapping
from importlib.resources import files

LANGUAGES = ("en", "fr", "es")

Param = int | float | str

_JOINED = {
    "fr": (("de le train", "du train"), ("à le train", "au train")),
    "es": (("de el tren", "del tren"), ("a el tren", "al tren")),
}


@functools.cache
def catalogue(language: str) -> Mapping[str, str]:
    """All sentences of a language, by `section.code`."""
    text = files("server").joinpath("locales", f"{language}.toml").read_text("utf-8")
    return {
        f"{section}.{code}": sentence
        for section, sentences in tomllib.loads(text).items()
        for code, sentence in sentences.items()
    }


def sentence(code: str, params: Mapping[str, Param], language: str) -> str:
    """The sentence of `section.code`; of an unknown code, its section's `other` or the code itself.

    A parameter that is missing shows as `?`: a sentence with a hole says more than an error.
    """
    known = catalogue(language)
    template = known.get(code) or known.get(f"{code.split('.')[0]}.other", code)
    return joined(template.format_map(_Holes(params)), language)


def joined(text: str, language: str) -> str:
    """French and Spanish draw "of the train" and "to the train" together."""
    for apart, one in _JOINED.get(language, ()):
        text = text.replace(f" {apart}", f" {one}")
    return text


def counted(code: str, count: int, language: str) -> str:
    """The sentence of `section.code` for one or for several; French counts 0 as one, with the singular."""
    single = count == 1 or (language == "fr" and count == 0)
    return sentence(f"{code}_{'one' if single else 'other'}", {"count": count}, language)


def why_not(error: OSError, language: str, writing: bool = False) -> str:
    """Why the system refuses a file, in the person's language where that is known."""
    forbidden = "not_writable" if writing else "no_permission"
    kinds = {FileNotFoundError: "no_such_file", PermissionError: forbidden, IsADirectoryError: "no_file"}
    code = kinds.get(type(error))
    return sentence(f"fault.{code}", {}, language) if code else error.strerror or str(error)


def shown_name(path: str) -> str:
    """A file's name on one line of a message; quoted where it is empty, hides in spaces, or steers a terminal."""
    return path if path and path == path.strip() and path.isprintable() else repr(path)


def users_language(environ: Mapping[str, str]) -> str:
    """The language in which the person's system speaks, if it is one of ours; English if not."""
    named = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), None)
    spoken = named if named is not None else locale.getlocale()[0] or ""
    return next((language for language in LANGUAGES if spoken.lower().startswith(language)), LANGUAGES[0])


class _Holes(dict[str, Param]):
    def __missing__(self, key: str) -> str:
        return "?"
