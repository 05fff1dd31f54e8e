import Browser
import Foundation
import TestBroker
import Testing

/// The map without room for everyone: people on one spot, and people outside the picture.
@Suite(.timeLimit(.minutes(3)))
struct CrowdPageTests {
    private func share(_ users: [String], in site: Website) async throws {
        for user in users {
            try await site.installation.done(user, "sharing.start", #"{"groups":"all"}"#)
        }
    }

    @Test func `Two people on one spot are both reachable`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben", "carl", "dora")
            try await share(["ben", "carl", "dora"], in: site)
            try await site.installation.publish(Topic.fix("ben"), fix(at: 0))
            try await site.installation.publish(Topic.fix("carl"), fix(at: 0))
            try await site.installation.publish(Topic.fix("dora"), fix(at: 900))
            let page = try await site.logIn("ann")
            let crowd = Element.button("2 people here")
            try await page.shows(crowd)
            #expect(try await page.evaluate(faces) == ["Dora"])

            // By the keyboard: out, to one of the two, and back.
            try await page.run("document.querySelector('.crowd-button').focus()")
            try await page.press("Enter")
            try await page.wait(
                for: "everybody by themselves",
                "\(faces).sort().join(' ') === 'Ben Carl Dora' && \(areApart)")
            try await page.run("document.querySelector('[aria-label=Carl]').focus()")
            try await page.press("Enter")
            try await page.says("46.05000° N", of: "carl")
            try await page.run("document.getElementById('map').focus()")
            try await page.press("Escape")
            try await page.wait(for: "a crowd again", "\(faces).join(' ') === 'Dora'")

            // By a tap: none is in another's way.
            try await page.click(crowd)
            try await page.wait(for: "both again", "\(faces).length === 3 && \(areApart)")
            try await page.click(.css(".person-marker[aria-label=Ben]"))
            try await page.says("46.05000° N", of: "ben")

            // A caller for help is named, even on the crowd.
            try await page.run("document.getElementById('map').focus()")
            try await page.press("Escape")
            try await site.installation.done("carl", "sos.trigger", "{}")
            try await page.shows(
                .css(".crowd-button[aria-label^='SOS'][aria-label*=Carl][aria-label*=Ben]"))
            try await page.wait(
                for: "the name in red",
                "document.querySelector('.crowd-marker[data-state=sos] .tag').innerText.match(/^SOS:.*Carl/)"
            )
        }
    }

    @Test func `A person outside the picture has an arrow, which leads there`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben", "carl")
            try await share(["ben", "carl"], in: site)
            try await site.installation.publish(Topic.fix("ben"), fix(at: 0))
            try await site.installation.publish(Topic.fix("carl"), fix(at: 50))
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.wait(
                for: "both in the picture, from close by",
                "/^[0-9]+ m/.test(document.querySelector('.leaflet-control-scale').innerText)")
            #expect(try await !page.has(.css(".edge-arrow")))

            // Northwards, out of the picture.
            try await site.installation.publish(Topic.fix("carl"), fix(at: 3000))
            let arrow = Element.css(".edge-arrow[aria-label*=Carl]")
            try await page.shows(arrow)
            #expect(
                try await page.evaluate(
                    "document.querySelector('.edge-arrow').getAttribute('aria-label').includes(' north.')"
                ))
            try await page.wait(
                for: "an arrow in the part of the map that nothing covers",
                """
                (() => {
                    const { x, y, width, height } = document.querySelector('.edge-arrow')
                        .getBoundingClientRect();
                    return width >= 44 && height >= 44 && x >= 0 && x + width <= innerWidth
                        && y < document.querySelector('.map').getBoundingClientRect().y + 60
                        && Boolean(document.elementFromPoint(x + width / 2, y + 20)
                            .closest('.edge-arrow'));
                })()
                """)
            try await page.click(arrow)
            try await page.wait(
                for: "Carl in the picture, and an arrow to Ben",
                """
                [...document.querySelectorAll('.edge-arrow')].map(each =>
                    each.getAttribute('aria-label').match(/Ben|Carl/)[0]).join() === 'Ben'
                """)

            // A caller for help is shown unasked; an arrow to them, once the map is elsewhere,
            // shows who and where, in visible letters.
            try await site.installation.done("ben", "sos.trigger", "{}")
            try await page.wait(
                for: "Ben in the picture, who calls",
                "!document.querySelector('.edge-arrow[data-sos]') && \(faces).includes('Ben')")
            try await page.click(arrow)
            try await page.wait(
                for: "who calls for help, and where",
                """
                (() => {
                    const arrow = document.querySelector('.edge-arrow[data-sos]');
                    return arrow && /^Ben\\s.+ south$/.test(arrow.innerText.replace(/^SOS\\s/, ''))
                        && getComputedStyle(arrow).backgroundColor === 'rgb(181, 18, 30)';
                })()
                """)
            try await page.click(.css(".edge-arrow[data-sos]"))
            try await page.wait(
                for: "Ben in the picture",
                """
                !document.querySelector('.edge-arrow[data-sos]')
                    && \(faces).some(name => name === 'Ben')
                """)
        }
    }

    @Test func `My own mark is "You"`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            try await share(["ben"], in: site)
            try await site.installation.publish(Topic.fix("ben"), fix(at: 0))
            let page = try await site.logIn("ann")
            try await page.wait(for: "Ben", "\(faces).join() === 'Ben'")
            try await share(["ann"], in: site)
            try await site.installation.publish(Topic.fix("ann"), fix(at: 300))
            try await page.wait(
                for: "me on the map", "\(faces).sort().join() === 'Ben,You'")
        }
    }

    /// The names of the faces on the map that can be seen.
    private let faces = """
        [...document.querySelectorAll('.person-marker')].filter(face => face.checkVisibility())
            .map(face => face.querySelector('.tag-name').textContent)
        """

    /// Whether no face is over another, and each is what is pressed there.
    private let areApart = """
        [...document.querySelectorAll('.person-marker')].filter(face => face.checkVisibility())
            .every(face => {
                const { x, y, width, height } = face.querySelector('.disc').getBoundingClientRect();
                return document.elementFromPoint(x + width / 2, y + height / 2)
                    ?.closest('.person-marker') === face;
            })
        """
}
