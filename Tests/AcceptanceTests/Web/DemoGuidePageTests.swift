import Browser
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DemoGuidePageTests {
    /// Whether all discs, of people or of groups close together, are in the uncovered part of the
    /// map.
    private static let everybodyIsInThePicture = """
        (() => {
            const map = document.getElementById('map').getBoundingClientRect();
            const covered = parseFloat(getComputedStyle(document.documentElement)
                .getPropertyValue('--covered')) || 0;
            const discs = [...document.querySelectorAll('.person-marker')]
                .filter(each => each.checkVisibility()).map(each => each.getBoundingClientRect());
            return discs.length > 0 && discs.every(({ x, y, width, height }) => {
                const [left, top] = [x + width / 2, y + height / 2];
                return left > map.left && left < map.right && top > map.top
                    && top < map.bottom - covered;
            });
        })()
        """

    @Test func `The guide leads a visitor to a call for help, and continues once it is answered`()
        async throws
    {
        try await DemoPageTests().withDemo { address, _, _ in
            try await withBrowser { browser in
                let visitor = try await browser.visitor()
                visitor.tolerate { $0.url.hasSuffix("/session") && $0.text.contains("401") }
                let page = try await visitor.open(address, width: 360, height: 740)
                try await page.click(.button("Watch the demo"))
                try await page.sees("invented people share their location with you")
                try await page.click(.button("Next"))
                try await page.sees("is on the way to")
                try await page.sees(
                    "Now Cleo is calling for help. Press “I have seen it”.", within: .seconds(150))
                try await page.wait(
                    for: "everybody in the picture", DemoGuidePageTests.everybodyIsInThePicture)
                try await page.click(.button("I have seen it"))
                try await page.sees("You have answered.")
                try await page.click(.button("Close the guide"))
                try await page.loses("You have answered.")
                // It stays closed in this tab.
                try await page.reload()
                try await page.shows(.link("Chat"))
                #expect(try await page.has(.button("Close the guide")) == false)
            }
        }
    }

    @Test func `A user with their own account is not guided`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.says("Ben", of: "ben")
            #expect(try await page.has(.button("Close the guide")) == false)
        }
    }
}
