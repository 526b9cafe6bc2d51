"""Spoken announcements: off by default, and then only what was chosen, with a voice of the device."""

from __future__ import annotations

from pathlib import Path

from tests.server.browser import LAPTOP, Server, browser, needs_browser

pytestmark = needs_browser

VOICE = """window.spoken = [];
Object.defineProperty(window, 'speechSynthesis', {value: {
  getVoices: () => [{lang: 'en-GB', localService: false}, {lang: 'en-US', localService: true, name: 'here'}],
  speak: (words) => window.spoken.push(words.text)}});
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };"""


def test_only_what_was_chosen_is_said(tmp_path: Path) -> None:
    server = Server(tmp_path / "data")
    with browser() as people:
        page = people.device(LAPTOP)
        page.add_init_script(VOICE)
        page.goto(f"{server.url}/new")
        for index, name in enumerate(("Ana", "Ben")):
            page.locator(".seat-list input").nth(index).fill(name)
        page.click("button.huge.main")
        page.click("text=Follow the table")
        page.click("dialog >> text=Ana")
        page.click("button:text-is('I drew')")
        page.click("button:text-is('Next')")
        page.wait_for_selector("h2:has-text(\"Ben's turn\")")
        assert page.evaluate("spoken") == []
        page.click("text=Spoken announcements")
        page.click("dialog label:has-text('Whose turn it is')")
        page.click("dialog button[aria-label='Close']")
        page.click("button:text-is('I drew')")
        page.click("button:text-is('Next')")
        page.wait_for_selector("h2:has-text(\"Ana's turn\")")
        assert page.evaluate("spoken") == ["Ana's turn"]
    server.stop()
