import Browser
import Foundation
import TestBroker
import Testing

/// The map under the people: the bundled world, and the operator's own tiles over it.
@Suite(.timeLimit(.minutes(3)))
struct WorldPageTests {
    /// Whether one of the world's tiles has land and water drawn: more than one colour.
    private static let isDrawn = """
        [...document.querySelectorAll('.leaflet-world-pane canvas.leaflet-tile-loaded')]
            .some(canvas => {
                const pixels = canvas.getContext('2d')
                    .getImageData(0, 0, canvas.width, canvas.height).data;
                const colours = new Set();
                for (let at = 0; at < pixels.length; at += 4) {
                    colours.add(pixels[at] << 16 | pixels[at + 1] << 8 | pixels[at + 2]);
                }
                return colours.size > 2;
            })
        """
    private static let hasOwnTiles = """
        [...document.querySelectorAll('img.leaflet-tile-loaded')]
            .some(image => new URL(image.src).pathname.startsWith('/map/') && image.naturalWidth > 1)
        """

    @Test func `The bundled world is shown without tiles, even without a network`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.wait(for: "a world", WorldPageTests.isDrawn)
            try await page.sees("Made with Natural Earth · © GeoNames")
            try await page.picture("world")
            // With no server there are network errors.
            page.visitor.tolerate { $0.source == .network }
            try await page.wait(
                for: "a world that is kept",
                """
                caches.open('world').then(async cache =>
                    Boolean(await cache.match('/world/overview.json')
                        && await cache.match('/world/cities/overview.txt')))
                """)
            try await site.endWeb(of: page)
            try await page.reload()
            try await page.wait(for: "the kept world", WorldPageTests.isDrawn)
        }
    }

    @Test func `An added map is shown on the first visit`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            try await site.installation.done("ben", "sharing.start", #"{"groups":"all"}"#)
            let page = try await site.logIn("ann")
            try await page.sees("Made with Natural Earth · © GeoNames")
            page.visitor.tolerate { $0.source == .network }
            try await site.endWeb(of: page)
            try await site.installation.kith("map", "add", MapTests.monaco)
            let web = try await site.installation.openPage(port: site.port)
            let now = Int(Date().timeIntervalSince1970 * 1000)
            try await site.installation.publish(
                Topic.fix("ben"),
                #"{"latitude":43.7355,"longitude":7.4222,"accuracy":5,"timestamp":\#(now)}"#)
            try await page.reload()
            try await page.wait(for: "tiles of Monaco", WorldPageTests.hasOwnTiles)
            try await page.sees("OpenStreetMap contributors")
            await web.program.kill()
        }
    }
}
