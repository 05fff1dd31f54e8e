import Browser
import Foundation
import TestSupport
import Testing

/// Calls for help that the page receives, and that it sends.
@Suite(.timeLimit(.minutes(3)))
struct EmergencyPageTests {
    @Test func `An SOS is on every view until it is over, and can be acknowledged`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.alerts(group))
            let page = try await site.logIn("ann")
            try await page.visit("Chat")
            let title: String = try await page.evaluate("document.title")
            try await site.installation.done("ben", "sos.trigger", #"{"fix":\#(fix(at: 50))}"#)
            try await page.sees("Ben needs help")
            try await page.wait(
                for: "another title", "document.title !== \(Page.quoted(title))")
            try await page.sees("No one has answered yet.")
            try await page.click(.button("Show on map"))
            try await page.says("SOS", of: "ben")
            try await page.shows(.css(".person-marker[data-state=sos]"))
            try await page.click(.button("I have seen it"))
            try await ben.hears("Ann's acknowledgement", on: Topic.alerts(group)) {
                $0["kind"] == "sos" && $0["acknowledgedBy"] == ["ann"]
            }
            try await page.sees("Seen by you")
            try await page.visit("Alerts")
            try await page.sees("Ben")
            try await site.installation.done("ben", "sos.stop")
            try await page.loses("Ben needs help")
            try await page.wait(for: "the title as before", "!document.title.includes('SOS')")

            // An unacknowledged one is also over.
            try await site.installation.done("ben", "sos.trigger")
            try await page.shows(.css(".alert-sign.danger"))
            try await site.installation.done("ben", "sos.stop")
            try await page.loses("Ben needs help")
            try await page.wait(
                for: "nothing red and nothing to acknowledge",
                """
                !document.querySelector('.alert-sign.danger')
                    && ![...document.querySelectorAll('.alert button')]
                        .some(e => e.textContent === 'I have seen it' && e.checkVisibility())
                """)
        }
    }

    @Test func `A repeated call notifies again`() async throws {
        try await withWebsite(in: .full) { site in
            let group = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.visitor.grant(
                "notifications", to: try await page.evaluate("location.origin", as: String.self))
            try await page.wait(for: "a worker", "\(Page.isCached)")
            try await page.run(
                """
                window.told = [];
                ServiceWorkerRegistration.prototype.showNotification =
                    async (title, options) => { window.told.push(options); };
                """)
            for repetition in 0...1 {
                try await site.installation.publish(
                    Topic.alerts(group),
                    """
                    {"id":"018f0000-0000-7000-8000-000000000000","kind":"sos",\
                    "group":"\(group)","user":"ben","name":"Ben","at":"\(time(in: 0))",\
                    "text":"Ben calls for help.","acknowledgedBy":[],"repetition":\(repetition)}
                    """, as: .bridge)
                try await page.wait(
                    for: "call \(repetition)", "window.told.length === \(repetition + 1)")
            }
            #expect(
                try await page.evaluate(
                    "window.told.every(({ tag, renotify }) => tag === told[0].tag && renotify)"))
        }
    }

    @Test func `An active SOS is shown on a page opened later`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            try await site.installation.done("ben", "sos.trigger")
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.sees("Ben needs help")
            try await page.reload()
            try await page.sees("Ben needs help")
        }
    }

    @Test func `A held button calls for help after five seconds, unless it is cancelled`()
        async throws
    {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.alerts(group))
            let first = try await site.logIn("ann", width: 360, height: 740)
            try await first.stopClock()
            // Too short.
            try await first.click(.button("SOS"), holding: .milliseconds(300))
            try await first.sees("Hold the SOS button")
            #expect(try await first.has(.css("dialog")) == false)
            // Cancelled.
            try await first.click(.button("SOS"), holding: .milliseconds(1800))
            try await first.sees("Calling for help in")
            try await first.press("Escape")
            try await first.sees("Nothing was sent")
            #expect(try await first.has(.css("dialog")) == false)

            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.setLocation(latitude: Place.latitude(70), longitude: Place.longitude)
            let began = ContinuousClock.now
            try await page.click(.button("SOS"), holding: .milliseconds(1800))
            let alert = try await ben.hears("Ann's SOS", on: Topic.alerts(group)) {
                $0["kind"] == "sos"
            }
            #expect(ContinuousClock.now - began > .milliseconds(6400))
            #expect(alert.json["user"] == "ann" && alert.json["fix"].isFix(at: 70))
            #expect(ben.heard.count { $0.json["kind"] == "sos" } == 1)
            try await page.sees("Your SOS has been on since")

            let id = try #require(alert.json["id"].text)
            try await site.installation.done("ben", "alert.acknowledge", #"{"alert":"\#(id)"}"#)
            try await page.sees("Seen by Ben")
            try await page.reload()
            try await page.sees("Seen by Ben")
            try await page.click(.button("I am safe"))
            try await page.click(.css("dialog .button.primary"))
            try await ben.hears("the end", on: Topic.alerts(group)) { $0["kind"] == "sos-stopped" }
            try await page.loses("Your SOS has been on since")
        }
    }

    @Test func `A countdown continues after a reload, unless it was cancelled`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.alerts(group))
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.stopClock()
            try await page.click(.button("SOS"), holding: .milliseconds(1800))
            try await page.sees("Calling for help in")
            try await page.press("Escape")
            try await page.sees("Nothing was sent")
            try await page.reload()
            try await page.sees("Live")
            #expect(try await page.has(.css("dialog")) == false)

            try await page.click(.button("SOS"), holding: .milliseconds(1800))
            try await page.sees("Calling for help in")
            try await page.tick(1)
            try await page.reload()
            try await page.sees("Calling for help in")
            #expect(ben.heard.isEmpty)
            try await page.tick(5)
            try await ben.hears("Ann's SOS", on: Topic.alerts(group)) { $0["kind"] == "sos" }
            try await page.sees("Your SOS has been on since")
            try await page.reload()
            try await page.sees("Your SOS has been on since")
            #expect(try await page.has(.css("dialog")) == false)
            #expect(Set(ben.heard.compactMap { $0.json["id"].text }).count == 1)
        }
    }

    @Test func `An old countdown asks the person whether to send it`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.alerts(group))
            let page = try await site.logIn("ann", width: 360, height: 740)
            let leaveOne = """
                sessionStorage.setItem('kith.sos-countdown', JSON.stringify(
                    {user: 'ann', since: Date.now() - 120_000, id: 'before'}))
                """
            for answer in ["Discard", "Send it now"] {
                try await page.run(leaveOne)
                try await page.reload()
                try await page.sees("was never sent")
                #expect(try await page.has(.css("dialog")) == false)
                #expect(ben.heard.isEmpty)
                try await page.click(.button(answer))
                try await page.loses("was never sent")
            }
            try await ben.hears("Ann's SOS", on: Topic.alerts(group)) { $0["kind"] == "sos" }
            try await page.sees("Your SOS has been on since")
        }
    }

    @Test func `A countdown that ends with the session becomes a call after the next login`()
        async throws
    {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.alerts(group))
            let page = try await site.logIn("ann")
            page.visitor.tolerate { $0.source == .network && $0.text.contains("401") }
            try await page.stopClock()
            let device: String = try await page.evaluate("localStorage.getItem('kith.device')")
            try await page.click(.button("SOS"), holding: .milliseconds(1800))
            try await page.sees("Calling for help in")
            try await site.installation.done("ann", "device.revoke", #"{"device":"\#(device)"}"#)
            try await page.sees("Your SOS was not sent")
            #expect(ben.heard.isEmpty)
            try await page.click(.button("OK"))
            try await site.logIn("ann", on: page)
            try await ben.hears("Ann's SOS", on: Topic.alerts(group)) { $0["kind"] == "sos" }
            try await page.sees("Your SOS has been on since")
        }
    }

    @Test func `The keyboard can also call for help`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.alerts(group))
            let page = try await site.logIn("ann")
            try await page.stopClock()
            try await page.focus(.button("SOS"))
            try await page.press(" ", holding: .milliseconds(1800))
            try await page.click(.button("Send it now"))
            try await ben.hears("Ann's SOS", on: Topic.alerts(group)) { $0["kind"] == "sos" }
        }
    }

    @Test func `A lifted finger does not cancel the call`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.alerts(group))
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.stopClock()
            try await page.touch(.button("SOS"), holding: .milliseconds(1800))
            try await page.sees("Calling for help in")
            try await page.tick(5)
            try await ben.hears("Ann's SOS", on: Topic.alerts(group)) { $0["kind"] == "sos" }
        }
    }

    @Test func `A call for help made offline is sent once online, even after a reload`()
        async throws
    {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.alerts(group))
            let page = try await site.logIn("ann")
            try await page.stopClock()
            try await page.wait(for: "a page that opens without network", "\(Page.isCached)")
            page.visitor.tolerate { $0.source == .network }
            try await page.visitor.setOffline(true)
            try await page.click(.button("SOS"), holding: .milliseconds(1800))
            try await page.click(.button("Send it now"))
            try await page.sees("SOS not sent yet. Trying…")
            try await page.sees("Tried ")
            #expect(ben.heard.isEmpty)
            try await page.reload()
            try await page.sees("SOS not sent yet. Trying…")
            try await page.visitor.setOffline(false)
            try await ben.hears("Ann's SOS", on: Topic.alerts(group)) { $0["kind"] == "sos" }
            try await page.sees("Your SOS has been on since")
            #expect(Set(ben.heard.compactMap { $0.json["id"].text }).count == 1)
        }
    }
}

extension Page {
    /// Whether a service worker has cached the page and what it needs.
    static let isCached = """
        navigator.serviceWorker.controller
            && caches.match('/complete').then(found => !!found)
        """
}
