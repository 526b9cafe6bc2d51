"""Pages: one shell for all of them, its texts, and the description of the interface."""

from __future__ import annotations

import html
from importlib.resources import files

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response

from server.problems import NotFound
from server.routes.parts import Served
from server.schemas import Answer
from server.shell import shell
from server.texts import LANGUAGES, chosen_language, page_texts, rule_texts

router = APIRouter()

_DOCS = files("server") / "templates" / "docs.html"


@router.get("/healthz", tags=["health"])
def healthz(services: Served) -> Answer:
    """The server is up; which model reads photos."""
    return {"ok": True, "model": services.model}


@router.get("/texts/{language}.json", include_in_schema=False)
def texts(language: str) -> Response:
    """The texts of the pages in a language."""
    body = page_texts(language if language in LANGUAGES else LANGUAGES[0])
    return Response(body, media_type="application/json", headers={"cache-control": "no-cache"})


@router.get("/texts/{language}/rules.json", include_in_schema=False)
def texts_of_rules(language: str) -> Response:
    """The words of all house rules in a language."""
    body = rule_texts(language if language in LANGUAGES else LANGUAGES[0])
    return Response(body, media_type="application/json", headers={"cache-control": "no-cache"})


@router.get("/docs", include_in_schema=False)
def docs() -> HTMLResponse:
    """The interface, described for people; works without any other site."""
    return HTMLResponse(_DOCS.read_text(encoding="utf-8"))


@router.get("/certificate.crt", include_in_schema=False)
def certificate(services: Served) -> FileResponse:
    """What a phone installs to trust this computer."""
    path = services.settings.data / "certificate" / "stationmaster.crt"
    if not path.exists():
        raise NotFound("no_certificate")
    return FileResponse(path, media_type="application/x-x509-ca-cert", filename="stationmaster.crt")


@router.get("/sw.js", include_in_schema=False)
def worker() -> Response:
    """What keeps the shell of the pages on a device, where the origin is secure."""
    return Response(shell().worker, media_type="text/javascript", headers={"cache-control": "no-cache"})


@router.get("/favicon.ico", include_in_schema=False)
def icon() -> Response:
    """Browsers ask for it even when the page names another."""
    return Response((files("server") / "static" / "icon.svg").read_bytes(), media_type="image/svg+xml")


@router.get("/", include_in_schema=False)
@router.get("/new", include_in_schema=False)
@router.get("/join", include_in_schema=False)
@router.get("/past", include_in_schema=False)
@router.get("/privacy", include_in_schema=False)
@router.get("/count", include_in_schema=False)
@router.get("/certificate", include_in_schema=False)
@router.get("/j/{rest:path}", include_in_schema=False)
@router.get("/g/{rest:path}", include_in_schema=False)
def page(request: Request) -> HTMLResponse:
    """The shell; which page it becomes is decided by its address."""
    language = chosen_language(request.headers.get("accept-language", ""))
    return HTMLResponse(shell().page.replace("{{language}}", html.escape(language)),
                        headers={"cache-control": "no-cache"})
