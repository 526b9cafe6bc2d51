"""The web application, built by a function from its collaborators."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from server.guard import Guard
from server.problems import Problem, Stale
from server.routes import camera, feed, games, hands, joining, live, pages, pictures, scores, seating, table
from server.routes.parts import token_of
from server.services import Services


def create_app(services: Services) -> FastAPI:
    """The application. It closes `services` when it stops."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(services.close)

    app = FastAPI(title="Stationmaster", version="1", docs_url=None, redoc_url=None, lifespan=lifespan,
                  description="Referee and scorer for Mexican Train played with real dominoes.")
    app.state.services = services
    for module in (games, joining, seating, hands, pictures, scores, table, camera, feed, live, pages):
        app.include_router(module.router)
    app.mount("/static", StaticFiles(directory=str(files("server") / "static")), name="static")
    app.add_middleware(Guard)
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    return app


async def _problem(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)
    body = _shape(error.code, dict(error.params))
    if isinstance(error, Stale):
        body["state"] = await run_in_threadpool(_present_state, request)
    return JSONResponse(body, status_code=error.status)


def _present_state(request: Request) -> object:
    services: Services = request.app.state.services
    game_id = str(request.path_params.get("game_id"))
    return services.state(services.evenings.viewer(game_id, token_of(request, game_id)))


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0] if error.errors() else {}
    place = ".".join(str(part) for part in first.get("loc", ()))
    return JSONResponse(_shape("invalid", {"place": place, "reason": str(first.get("msg", ""))}), status_code=422)


async def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "not_allowed_here"}.get(error.status_code, "http")
    return JSONResponse(_shape(code, {"status": error.status_code}), status_code=error.status_code,
                        headers=dict(error.headers or {}))


def _shape(code: str, params: dict[str, object]) -> dict[str, object]:
    from server.texts import english

    return {"error": {"code": code, "params": params, "message": english(f"problem.{code}", params)}}
