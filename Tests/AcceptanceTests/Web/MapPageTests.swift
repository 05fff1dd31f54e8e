import Browser
import Foundation
import TestBroker
import Testing

/// What a user sees on the page; the other people have stock clients.
@Suite(.timeLimit(.minutes(3)))
struct MapPageTests {
    @Test func `A visitor registers, logs out and logs in again`() async throws {
        try await withWebsite { site in
            let page = try await site.open()
            // The form is sent once with errors.
            page.visitor.tolerate { $0.url.contains("account.register") }
            try await page.click(.button("Create account"))
            try await page.type(into: .field("User name"), "ann")
            try await page.type(into: .field("First name"), "Ann")
            try await page.type(into: .field("Last name"), "Lake")
            try await page.type(into: .field("Email"), "nowhere")
            try await page.type(into: .field("Password"), "short")
            try await page.click(.toggle("I agree"))
            try await page.click(.button("Create account"))
            try await page.wait(
                for: "both mistakes, each at its field",
                """
                ['email', 'password'].every(name => {
                    const field = document.querySelector(`input[name=${name}]`);
                    const texts = field.getAttribute('aria-describedby').split(' ')
                        .map(id => document.getElementById(id).textContent);
                    return field.getAttribute('aria-invalid') === 'true' && texts.at(-1);
                })
                """)
            try await page.type(into: .field("Email"), "ann@example.org")
            try await page.type(into: .field("Password"), Website.password)
            try await page.click(.button("Create account"))
            try await page.shows(.link("Chat"))

            try await page.sees("Live")
            try await page.visit("Me")
            try await page.click(.button("Log out"))
            try await page.shows(.field("User name or email"))
            try await page.type(into: .field("User name or email"), "ann@example.org")
            try await page.type(into: .field("Password"), "wrong horse")
            page.visitor.tolerate { $0.url.hasSuffix("/session") }
            try await page.click(.button("Log in"))
            try await page.shows(.css("form [role=alert]:not(:empty)"))
            #expect(try await page.has(.link("Chat")) == false)
            try await site.logIn("ann@example.org", on: page)
            try await page.reload()
            try await page.shows(.link("Chat"))
        }
    }

    @Test func `A member's movement is shown`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.says("Not sharing", of: "ben")
            try await site.installation.done("ben", "sharing.start", #"{"groups":"all"}"#)
            try await site.installation.publish(
                Topic.fix("ben"), fix(at: 0, #","battery":73,"speed":1.5,"heading":0"#))
            try await page.says("Sharing", of: "ben")
            try await page.says("just now", of: "ben")
            try await page.says("73%", of: "ben")
            try await page.click(.css("li[data-user='ben'] button"))
            try await page.says("46.05000° N, 14.50000° E", of: "ben")
            let before = try await height(on: page)
            try await site.installation.publish(Topic.fix("ben"), fix(at: 100))
            try await page.says("46.05090° N", of: "ben")
            // North is up.
            try await page.wait(
                for: "a marker farther up",
                """
                \(before) - document.querySelector('.person-marker')
                    .getBoundingClientRect().y > 5
                """)
            try await site.installation.done("ben", "sharing.stop", #"{"groups":"all"}"#)
            try await page.says("Not sharing", of: "ben")
        }
    }

    @Test func `Names cover no face, and toasts cover no control`() async throws {
        try await withWebsite(as: .modules) { site in
            _ = try await site.family("ben", "carl", "dora")
            for (number, user) in ["ben", "carl", "dora"].enumerated() {
                try await site.installation.done(user, "sharing.start", #"{"groups":"all"}"#)
                try await site.installation.publish(Topic.fix(user), fix(at: Double(number) * 60))
            }
            let page = try await site.logIn("ann")
            try await page.wait(
                for: "three faces, and their names beside them",
                """
                (() => {
                    const box = (element) => element.getBoundingClientRect();
                    const faces = [...document.querySelectorAll('.person-marker')];
                    const isOn = (a, b) => a.left < b.right && b.left < a.right
                        && a.top < b.bottom && b.top < a.bottom;
                    const names = faces.map(face => face.querySelector('.tag'))
                        .filter(tag => tag.checkVisibility({ visibilityProperty: true }));
                    return faces.length === 3 && names.length === 3
                        && Math.abs(box(faces[0]).top - box(faces[1]).top) < 44
                        && names.every(name => faces.every(face => face.contains(name)
                            || !isOn(box(name), box(face))));
                })()
                """)
            try await page.run("(await import('/js/shell.js')).say('Something was said.')")
            #expect(
                try await page.evaluate(
                    """
                    (() => {
                        const box = (element) => element.getBoundingClientRect();
                        const toast = box(document.querySelector('.toast'));
                        return [...document.querySelectorAll('.shell :is(a, button, select)')]
                            .filter(each => each.checkVisibility() && !each.closest('.toast, .skip')
                                && each.closest('.header, .links, .map-area'))
                            .every(each => box(each).bottom <= toast.top
                                || box(each).top >= toast.bottom
                                || box(each).right <= toast.left
                                || box(each).left >= toast.right);
                    })()
                    """))
        }
    }

    /// The position on the page of the only marker, once it has stopped moving.
    private func height(on page: Page) async throws -> Double {
        try await page.shows(.css(".person-marker"))
        var last = Double.nan
        return try await page.wait(for: "a marker that stands still") { () -> Double? in
            let now: Double = try await page.evaluate(
                "document.querySelector('.person-marker').getBoundingClientRect().y")
            try await Task.sleep(for: .milliseconds(300))
            defer { last = now }
            return now == last ? now : nil
        }
    }

    @Test func `A journey is shown with its destination, and when it is late`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await site.installation.publish(Topic.fix("ben"), fix(at: 0))
            let destination =
                #"{"latitude":\#(Place.latitude(2000)),"longitude":14.5,"name":"The mill"}"#
            try await site.installation.done(
                "ben", "journey.start",
                #"{"groups":["\#(group)"],"destination":\#(destination),"eta":"\#(time(in: 600))"}"#
            )
            try await page.says("On the way", of: "ben")
            try await page.says("The mill", of: "ben")
            try await page.says("2 km", of: "ben")
            try await page.shows(.css(".flag-marker"))
            try await site.installation.done(
                "ben", "journey.start", #"{"extend":true,"eta":"\#(time(in: 8))"}"#)
            try await page.says("Late", of: "ben")
            try await site.installation.done(
                "ben", "journey.start", #"{"extend":true,"eta":"\#(time(in: 600))"}"#)
            try await page.wait(
                for: "no word of lateness",
                "!document.querySelector(\"li[data-user='ben']\").innerText.includes('Late')")
            try await site.installation.done("ben", "journey.stop")
            try await page.says("Sharing", of: "ben")
        }
    }

    @Test func `A long path's beginning is drawn when its member is selected`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            try await site.installation.done(
                "ben", "journey.start",
                """
                {"groups":["\(group)"],"eta":"\(time(in: 900))","destination":\
                {"latitude":\(Place.latitude(600)),"longitude":14.5}}
                """)
            let start = Date().timeIntervalSince1970
            for part in stride(from: 0, to: 1600, by: 400) {
                let fixes = (part..<part + 400).map { index in
                    let age = Date().timeIntervalSince1970 - start + 100 - Double(index) / 20
                    return fix(at: Double(index) / 4, age: age)
                }
                try await site.installation.publish(
                    Topic.fix("ben"), "[\(fixes.joined(separator: ","))]")
            }
            let page = try await site.logIn("ann")
            try await page.says("On the way", of: "ben")
            let height = "document.querySelector('.path-line')?.getBoundingClientRect().height"
            var last = 0.0
            let before = try await page.wait(for: "a line that does not grow") { () -> Double? in
                let now: Double = try await page.evaluate("\(height) ?? 0")
                try await Task.sleep(for: .milliseconds(300))
                defer { last = now }
                return now == last && now > 20 ? now : nil
            }
            try await page.click(.css("li[data-user='ben'] button"))
            // Of 25 segments 16 are retained.
            try await page.wait(for: "the whole line", "\(height) > \(before) * 1.3")
        }
    }

    @Test func `A member who is removed from the group no longer sees it`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.says("Not sharing", of: "ben")
            // Requests that the page still has in flight are then refused.
            page.visitor.tolerate { $0.source == .network && $0.text.contains("403") }
            try await site.installation.done(
                "ben", "group.remove", #"{"group":"\#(group)","user":"ann"}"#)
            try await page.sees("You are not in a group yet")
            #expect(try await page.has(.css("li[data-user='ben']")) == false)
        }
    }

    @Test func `The page reconnects after the service was away`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.says("Not sharing", of: "ben")
            page.visitor.tolerate { $0.source == .network }
            await site.installation.crash()
            await site.installation.broker.kill()
            try await site.installation.startBroker()
            try await site.installation.start()
            try await site.installation.done("ben", "sharing.start", #"{"groups":"all"}"#)
            try await site.installation.publish(Topic.fix("ben"), fix(at: 0))
            try await page.says("just now", of: "ben")
            try await page.sees("Live")

            try await site.endWeb(of: page)
            try await page.loses("Live")
            let web = try await site.installation.openPage(port: site.port)
            try await site.installation.done("ben", "sos.trigger")
            try await page.sees("Ben needs help")
            try await page.sees("Live")
            await web.program.kill()
        }
    }
}
