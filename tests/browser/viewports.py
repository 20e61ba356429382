"""Window sizes in which screens are tested."""

from playwright.sync_api import ViewportSize

PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL_WINDOW: ViewportSize = {"width": 1024, "height": 768}
DESK: ViewportSize = {"width": 1440, "height": 900}
#: The desk with the page zoomed to 200%: half as many CSS pixels.
ZOOMED: ViewportSize = {"width": 720, "height": 450}
