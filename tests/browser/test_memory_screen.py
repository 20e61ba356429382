"""What only a browser shows of the memory screen: keys, the panel, selection, history, failures."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.browser.conftest import Watch
from tests.browser.keepsake import Keepsake, Person

pytestmark = pytest.mark.browser

THINGS = (
    "anvil bellows candle drum easel flute globe hammock inkwell jug kettle lantern mandolin "
    "needle oar piano quilt rake sundial teapot umbrella violin"
).split()


@pytest.fixture(scope="package")
def workshop(admin: Person) -> str:
    """An instance with 22 facts and 3 preferences that no test deletes. The newest is a fact."""
    instance = admin.new_instance("workshop")
    for colour in ("green", "red", "blue"):
        admin.remember(instance, f"The user likes {colour} paint.", category="preference")
    for number, thing in enumerate(THINGS):
        admin.remember(instance, f"The user owns a {thing}.", importance=number % 10 + 1)
    return instance


@pytest.fixture
def attic(admin: Person, request: pytest.FixtureRequest) -> str:
    """An instance of the test's own with six facts and a preference, to be deleted from."""
    words = re.sub(r"\W+|_", "-", request.node.name.removeprefix("test_"))
    instance = admin.new_instance(f"attic-{words}"[:60].rstrip("-"))
    admin.remember(instance, "The user likes grey paint.", category="preference")
    for thing in THINGS[:6]:
        admin.remember(instance, f"The user sold the {thing}.")
    return instance


def rows(page: Page) -> Locator:
    return page.locator("article.row")


def panel(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Memory")


def link(page: Page, thing: str) -> Locator:
    return page.get_by_role("link", name=f"The user owns a {thing}.", exact=True)


def shown(page: Page) -> list[str]:
    """The texts in the list, in their order."""
    return page.locator("article.row a.content").all_inner_texts()


def tick(page: Page, number: int, *, shift: bool = False) -> None:
    box = rows(page).nth(number).get_by_role("checkbox")
    box.click(modifiers=["Shift"] if shift else [])


def stay(page: Page) -> None:
    """Mark the page, so that a load shows."""
    page.evaluate("window.stayed = true")


def stayed(page: Page) -> bool:
    return bool(page.evaluate("window.stayed === true"))


# --- keys -----------------------------------------------------------------------------------


def test_j_and_k_walk_through_the_rows_and_enter_opens_one(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")

    page.keyboard.press("j")
    expect(link(page, "violin")).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(link(page, "teapot")).to_be_focused()
    page.keyboard.press("k")
    expect(link(page, "umbrella")).to_be_focused()
    page.keyboard.press("Enter")

    expect(panel(page).locator(".full")).to_have_text("The user owns a umbrella.")
    expect(rows(page).nth(1)).to_have_class(re.compile(r"\bopen\b"))
    # From the panel on, the walk goes on where it is open.
    page.keyboard.press("j")
    expect(link(page, "teapot")).to_be_focused()


def test_j_stops_at_the_last_row_and_k_at_the_first(page: Page, attic: str) -> None:
    page.goto(f"/memory?instance={attic}")

    for _ in range(9):
        page.keyboard.press("j")
    expect(page.get_by_role("link", name="The user likes grey paint.")).to_be_focused()
    for _ in range(9):
        page.keyboard.press("k")
    expect(page.get_by_role("link", name="The user sold the flute.")).to_be_focused()


def test_x_checks_the_row_that_has_the_focus(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")

    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_text("2 selected")).to_be_visible()
    page.keyboard.press("x")

    expect(page.get_by_text("1 selected")).to_be_visible()
    expect(rows(page).nth(0).get_by_role("checkbox")).to_be_checked()
    expect(rows(page).nth(1).get_by_role("checkbox")).not_to_be_checked()


def test_slash_goes_to_the_search_box_and_marks_what_stands_there(
    page: Page, workshop: str
) -> None:
    page.goto(f"/memory?instance={workshop}&q=kettle")

    page.keyboard.press("/")
    page.keyboard.type("lantern")

    box = page.get_by_role("searchbox")
    expect(box).to_be_focused()
    expect(box).to_have_value("lantern")
    page.keyboard.press("Escape")
    expect(box).not_to_be_focused()


def test_letters_are_letters_while_somebody_types(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
    page.get_by_role("searchbox").focus()

    page.keyboard.type("njxe?/")

    expect(page.get_by_role("searchbox")).to_have_value("njxe?/")
    expect(panel(page)).to_be_hidden()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_n_opens_the_form_and_escape_leaves_it(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}&category=preference")
    stay(page)

    page.keyboard.press("n")
    expect(page.get_by_label("What is to be remembered")).to_be_focused()
    expect(page).to_have_url(re.compile(r"/memory/new\?.*category=preference"))
    page.keyboard.press("Escape")

    expect(panel(page)).to_be_hidden()
    expect(page.get_by_role("link", name="New memory")).to_be_focused()
    expect(page).to_have_url(re.compile(r"/memory\?.*category=preference"))
    assert stayed(page)


def test_e_edits_the_open_memory_and_escape_goes_back_to_it(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
    link(page, "violin").click()
    expect(panel(page).locator(".full")).to_be_visible()

    page.keyboard.press("e")
    expect(page.get_by_label("What is to be remembered")).to_have_value("The user owns a violin.")
    expect(page).to_have_url(re.compile(r"/memory/\d+/edit\?"))
    page.keyboard.press("Escape")

    expect(panel(page).locator(".full")).to_have_text("The user owns a violin.")
    expect(page).to_have_url(re.compile(r"/memory/\d+\?"))


def test_question_mark_lists_the_keys(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")

    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys.get_by_text("Check the row")).to_be_visible()
    page.keyboard.press("Escape")

    expect(keys).to_be_hidden()


def test_the_keys_work_among_conversations_too(page: Page) -> None:
    page.goto("/conversations?instance=demo")

    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Moving the shop")).to_be_visible()


# --- the panel and the history ----------------------------------------------------------------


def test_the_panel_opens_beside_the_list_under_its_own_address(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}&category=fact&sort=oldest")
    before = shown(page)
    stay(page)

    link(page, "candle").click()

    expect(panel(page).locator(".full")).to_have_text("The user owns a candle.")
    expect(page).to_have_url(re.compile(r"/memory/\d+\?.*category=fact.*sort=oldest"))
    list_box, panel_box = page.locator(".list").bounding_box(), panel(page).bounding_box()
    assert list_box and panel_box
    assert list_box["x"] + list_box["width"] <= panel_box["x"]
    assert stayed(page)
    page.reload()
    expect(panel(page).locator(".full")).to_have_text("The user owns a candle.")
    assert shown(page) == before


def test_escape_closes_the_panel_and_gives_the_focus_back_to_the_row(
    page: Page, workshop: str
) -> None:
    page.goto(f"/memory?instance={workshop}&sort=oldest")
    stay(page)
    link(page, "anvil").click()
    expect(panel(page).get_by_role("link", name="Close")).to_be_focused()

    page.keyboard.press("Escape")

    expect(panel(page)).to_be_hidden()
    expect(link(page, "anvil")).to_be_focused()
    expect(page).to_have_url(re.compile(rf"/memory\?instance={workshop}&sort=oldest$"))
    assert stayed(page)


def test_back_closes_what_was_opened_and_forward_opens_it_again(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
    link(page, "violin").click()
    expect(panel(page).locator(".full")).to_have_text("The user owns a violin.")
    link(page, "teapot").click()
    expect(panel(page).locator(".full")).to_have_text("The user owns a teapot.")

    page.go_back()
    expect(panel(page).locator(".full")).to_have_text("The user owns a violin.")
    page.go_back()
    expect(panel(page)).to_be_hidden()
    expect(rows(page)).to_have_count(20)
    page.go_forward()

    expect(panel(page).locator(".full")).to_have_text("The user owns a violin.")
    expect(rows(page).nth(0)).to_have_class(re.compile(r"\bopen\b"))


def test_checked_rows_stay_checked_while_others_are_read(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
    tick(page, 0)
    tick(page, 2)

    link(page, "sundial").click()

    expect(panel(page).locator(".full")).to_have_text("The user owns a sundial.")
    expect(page.get_by_text("2 selected")).to_be_visible()
    expect(rows(page).nth(2).get_by_role("checkbox")).to_be_checked()


# --- filters, sort and pages --------------------------------------------------------------------


def test_filter_sort_and_page_are_in_the_address_and_outlive_a_reload(
    page: Page, workshop: str
) -> None:
    page.goto(f"/memory?instance={workshop}")
    stay(page)

    page.get_by_role("link", name="fact 22").click()
    expect(page).to_have_url(re.compile("category=fact"))
    page.get_by_label("Sort").select_option("important")
    expect(page).to_have_url(re.compile("sort=important"))
    expect(rows(page).first).to_contain_text("The user owns a teapot.")
    page.get_by_role("link", name="Next").click()
    expect(page).to_have_url(re.compile("page=2"))
    expect(page.get_by_text("21–22 of 22 that match")).to_be_visible()

    assert stayed(page)
    assert re.search(r"category=fact.*sort=important", page.url), page.url
    view = shown(page)
    assert len(view) == 2
    page.reload()
    assert shown(page) == view
    expect(page.get_by_label("Sort")).to_have_value("important")
    expect(page.locator(".chip[aria-current]")).to_have_text("fact 22")
    page.go_back()
    expect(page.get_by_text("1–20 of 22 that match")).to_be_visible()


def test_a_search_keeps_the_filter_and_says_nothing_of_what_is_empty(
    page: Page, workshop: str
) -> None:
    page.goto(f"/memory?instance={workshop}&category=preference")

    page.get_by_role("searchbox").fill("paint")
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile(r"q=paint"))
    assert sorted(re.findall(r"[?&](\w+)=", page.url)) == ["category", "instance", "q"]
    expect(rows(page)).to_have_count(3)
    expect(rows(page).first.locator("mark")).to_have_text("paint")
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_more_filters_narrow_and_close_with_escape(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
    summary = page.locator("summary", has_text="More filters")

    summary.click()
    expect(page.get_by_label("Tag")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Tag")).to_be_hidden()
    expect(summary).to_be_focused()
    summary.click()
    page.get_by_label("State").select_option("expired")
    page.get_by_role("button", name="Apply").click()

    expect(page.get_by_role("heading", name="No memory matches these filters")).to_be_visible()
    expect(page).to_have_url(re.compile("state=expired"))
    page.get_by_role("link", name="Show all memories").click()
    expect(rows(page)).to_have_count(20)


def test_the_focus_stays_where_it_was_used(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")

    page.get_by_role("link", name="preference 3").focus()
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(3)
    expect(page.get_by_role("link", name="preference 3")).to_be_focused()
    page.get_by_role("link", name="All 25").focus()
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(20)
    page.get_by_role("link", name="Next").focus()
    page.keyboard.press("Enter")

    expect(rows(page)).to_have_count(5)
    expect(page.get_by_role("link", name="Next")).to_be_focused()


def test_the_picker_leads_to_another_memory_and_closes_when_clicked_beside(
    page: Page, workshop: str
) -> None:
    page.goto(f"/memory?instance={workshop}")
    picker = page.locator(".picker summary")

    picker.click()
    expect(page.get_by_role("link", name="All instances")).to_be_visible()
    page.get_by_role("heading", name="Memory", exact=True).click()
    expect(page.get_by_role("link", name="All instances")).to_be_hidden()
    picker.click()
    page.locator(".picker").get_by_role("link", name="Demo assistant").click()

    expect(page).to_have_url(re.compile(r"instance=demo$"))
    expect(picker).to_contain_text("Demo assistant")


# --- selection ----------------------------------------------------------------------------------


def test_the_bar_is_there_only_while_something_is_checked(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
    bar = page.locator("#selected-bar")

    expect(bar).to_be_hidden()
    tick(page, 3)
    expect(bar).to_be_visible()
    expect(bar).to_contain_text("1 selected")
    expect(bar.get_by_role("button", name="Delete 1 memory", exact=True)).to_be_visible()
    tick(page, 3)
    expect(bar).to_be_hidden()


def test_shift_click_checks_the_range_and_takes_it_back(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")

    tick(page, 8)
    tick(page, 4, shift=True)
    expect(page.get_by_text("5 selected")).to_be_visible()
    tick(page, 6)
    tick(page, 8, shift=True)

    expect(page.get_by_text("2 selected")).to_be_visible()
    checked = [box.is_checked() for box in rows(page).get_by_role("checkbox").all()]
    assert [number for number, on in enumerate(checked) if on] == [4, 5]


def test_all_that_match_are_selected_and_deleted_and_nothing_else(
    page: Page, admin: Person
) -> None:
    instance = admin.new_instance("cellar")
    admin.remember(instance, "The user likes white paint.", category="preference")
    for thing in THINGS:
        admin.remember(instance, f"The user found a {thing}.")
    page.goto(f"/memory?instance={instance}&category=fact")
    expect(rows(page)).to_have_count(20)

    tick(page, 0)
    page.get_by_role("button", name="Select all 22 that match").click()
    expect(page.get_by_text("22 selected")).to_be_visible()
    page.get_by_role("button", name="Delete 22 memories").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Delete 22 memories that match?")
    # What comes in while the question stands was not in its number.
    late = admin.remember(instance, "The user found a whistle.")
    dialog.get_by_role("button", name="Delete 22 memories").click()

    expect(page.get_by_role("status").first).to_contain_text("Deleted 22 memories")
    expect(page).to_have_url(re.compile("category=fact"))
    assert shown(page) == ["The user found a whistle."]
    left = admin.memories(instance)
    assert [memory["content"] for memory in left] == [
        "The user found a whistle.",
        "The user likes white paint.",
    ]
    assert left[0]["id"] == late


def test_after_all_that_match_one_click_selects_by_hand_again(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
    tick(page, 0)
    page.get_by_role("button", name="Select all 25 that match").click()
    expect(page.get_by_text("25 selected")).to_be_visible()

    tick(page, 5)

    expect(page.get_by_text("19 selected")).to_be_visible()
    expect(page.get_by_role("button", name="Delete 19 memories")).to_be_visible()


def test_a_deletion_can_be_called_off(page: Page, attic: str, admin: Person) -> None:
    page.goto(f"/memory?instance={attic}")
    tick(page, 1)
    tick(page, 2)
    delete = page.get_by_role("button", name="Delete 2 memories")
    dialog = page.get_by_role("dialog")

    delete.click()
    expect(dialog).to_be_visible()
    dialog.get_by_role("link", name="Cancel").click()
    expect(dialog).to_be_hidden()
    delete.click()
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    expect(delete).to_be_focused()
    expect(page.get_by_text("2 selected")).to_be_visible()
    assert len(admin.memories(attic)) == 7


def test_one_is_deleted_from_its_panel(page: Page, attic: str, admin: Person) -> None:
    page.goto(f"/memory?instance={attic}&category=fact")
    page.get_by_role("link", name="The user sold the drum.").click()

    panel(page).get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Delete 1 memory?")
    expect(dialog).to_contain_text("The user sold the drum.")
    dialog.get_by_role("button", name="Delete 1 memory").click()

    expect(page.get_by_role("status").first).to_contain_text("Deleted 1 memory")
    expect(page).to_have_url(re.compile(rf"/memory\?instance={attic}&category=fact$"))
    expect(panel(page)).to_be_hidden()
    assert len(admin.memories(attic)) == 6


# --- failures -----------------------------------------------------------------------------------


def test_it_says_when_the_server_does_not_answer_and_recovers(
    page: Page, workshop: str, watch: Watch
) -> None:
    page.goto(f"/memory?instance={workshop}")
    watch.forgive(
        r"category=fact net::ERR_CONNECTION_REFUSED|console error: htmx:(sendError|after)"
    )

    def refuse(route: Route) -> None:
        route.abort("connectionrefused")

    page.route("**/memory?*", refuse)
    page.get_by_role("link", name="fact 22").click()
    notice = page.locator("#messages .notice.bad")
    expect(notice).to_contain_text("Keepsake does not answer.")
    expect(rows(page)).to_have_count(20)

    page.unroute("**/memory?*", refuse)
    page.get_by_role("link", name="fact 22").click()
    expect(page).to_have_url(re.compile("category=fact"))
    expect(notice).to_be_hidden()


def test_it_says_when_the_server_fails(page: Page, workshop: str, watch: Watch) -> None:
    page.goto(f"/memory?instance={workshop}")
    watch.forgive(r"500: GET .*category=fact|console error: Response Status Error Code 500")
    page.route("**/memory?*", lambda route: route.fulfill(status=500, body="<h1>No</h1>"))

    page.get_by_role("link", name="fact 22").click()

    expect(page.locator("#messages .notice.bad")).to_contain_text("could not answer")
    expect(rows(page)).to_have_count(20)


def test_a_memory_that_is_gone_by_now_is_said_to_be(
    page: Page, attic: str, admin: Person, watch: Watch
) -> None:
    page.goto(f"/memory?instance={attic}")
    watch.forgive(r"404: GET .*/memory/\d+|console error: Response Status Error Code 404")
    newest = admin.memories(attic)[0]["id"]
    admin.post(f"/memory/delete?instance={attic}", {"id": str(newest), "confirmed": "yes"})

    rows(page).first.locator("a.content").click()

    expect(page.locator("#messages .notice.bad")).to_contain_text("It is no longer there.")
    expect(panel(page)).to_be_hidden()


def test_it_says_when_the_session_has_ended(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
    page.context.clear_cookies()

    page.get_by_role("link", name="fact 22").click()

    expect(page.locator("#messages .notice.bad")).to_contain_text("Your session has ended.")
    expect(rows(page)).to_have_count(20)
    expect(page.get_by_label("Password")).to_have_count(0)


# --- theme --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "other"), [("light", "dark"), ("dark", "light")])
def test_the_theme_follows_the_system_until_it_is_switched(
    new_context: Callable[..., BrowserContext],
    app: Keepsake,
    admin: Person,
    system: str,
    other: str,
) -> None:
    context = new_context(
        base_url=app.address,
        color_scheme=system,
        storage_state=admin.request.storage_state(),
    )
    page = context.new_page()
    page.goto("/memory?instance=demo")

    assert brightness(page) == system
    page.get_by_role("button", name="Switch between light and dark").click()
    assert brightness(page) == other
    page.reload()
    assert brightness(page) == other
    page.goto("/conversations?instance=demo")
    assert brightness(page) == other
    page.get_by_role("button", name="Switch between light and dark").click()
    assert brightness(page) == system


def brightness(page: Page) -> str:
    """Whether the page is light or dark, as one sees it."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red, green, blue = (int(part) for part in re.findall(r"\d+", colour)[:3])
    return "light" if red + green + blue > 3 * 128 else "dark"
