import Browser
import Foundation
import TestSupport
import Testing

/// People's places on the page, and notifications about people there.
@Suite(.timeLimit(.minutes(3)))
struct GeofencePageTests {
    /// Ann and Ben, who both have accounts for the page, and their group, `Family`.
    private func family(_ site: Website) async throws -> String {
        let group = try await site.family()
        try await site.register("ben")
        try await site.installation.kith("group", "add", group, "ben")
        return group
    }

    private func school(_ site: Website, group: String? = nil) async throws -> String {
        let owner = group.map { #","group":"\#($0)""# } ?? ""
        let made = try await site.installation.done(
            "ann", "geofence.create",
            """
            {"name":"School","latitude":\(PlacesOnPage.latitude),
            "longitude":\(PlacesOnPage.longitude),"radius":200,"kind":"school"\(owner)}
            """)
        return try #require(made["geofence"]["geofence"].text)
    }

    @Test func `A place is made where I am, or on the map, and its size is shown`() async throws {
        try await withWebsite { site in
            let group = try await family(site)
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.setLocation(
                latitude: PlacesOnPage.latitude, longitude: PlacesOnPage.longitude)
            try await page.visit("Places")
            try await page.click(.link("My places"))
            try await page.sees("No places yet")
            try await page.click(.button("Add a place"))
            try await page.type(into: .field("Radius (metres)"), "20")
            try await page.click(.button("Add the place"))
            try await page.sees("Give it a name.")
            try await page.sees("Choose its location.")
            try await page.sees("Between 50 and 10,000 metres.")
            try await page.picture("own-errors-360")
            try await page.type(into: .field("Name"), "Home")
            try await page.type(into: .field("Radius (metres)"), "150")
            try await page.click(.button("My current location"))
            try await page.sees("46.0511° N")
            try await page.shows(.css(".new-circle"))
            let small: Double = try await page.evaluate(
                "document.querySelector('.new-circle').getBoundingClientRect().width")
            try await page.type(into: .field("Radius (metres)"), "300")
            try await page.wait(
                for: "a larger circle",
                "document.querySelector('.new-circle').getBoundingClientRect().width > 1.5 * \(small)"
            )
            try await page.wait(for: "a page that fits", PlacesOnPage.fits)
            try await page.picture("own-form-360")
            try await page.click(.button("Add the place"))
            try await page.sees("Home is saved.")
            try await page.shows(.css(".own-circle"))
            #expect(try await !page.has(.css(".new-circle")))

            // One of the group, by the cross on the map: for users who press no map.
            try await page.click(.button("Add a place"))
            try await page.type(into: .field("Name"), "School")
            try await page.choose("School", in: .field("Kind"))
            try await page.choose("Group Family", in: .field("Owner"))
            try await page.click(.button("Choose on the map"))
            try await page.click(.button("Use the point under the cross"))
            try await page.click(.button("Add the place"))
            try await page.sees("School is saved.")
            try await page.sees("School · group Family")
            let known = try await site.installation.done("ben", "geofence.list")["geofences"]
                .elements
            #expect(known.map { $0["name"].text } == ["School"])
            #expect(known.first?["group"].text == group)

            // It is changed, and it is deleted when that is confirmed.
            try await page.click(.css("[data-geofence] summary"))
            try await page.click(.button("Change Home"))
            try await page.type(into: .field("Name"), "Our installation")
            try await page.click(.button("Save"))
            try await page.sees("Our installation")
            try await page.shows(.button("Delete Our installation"))
            try await page.click(.button("Delete Our installation"))
            try await page.click(.css("dialog .button.danger"))
            try await page.sees("Our installation is deleted.")
            #expect(
                try await site.installation.done("ann", "geofence.list")["geofences"].elements.count
                    == 1)
        }
    }

    @Test func `A watched person is asked first, agrees or not, and can end it any time`()
        async throws
    {
        try await withWebsite { site in
            _ = try await family(site)
            _ = try await school(site)
            let ann = try await site.logIn("ann")
            let ben = try await site.logIn("ben", width: 360, height: 740)
            try await ann.go(to: "\(site.address)#places/own")
            try await ann.click(.button("Notify me about someone at School"))
            try await ann.choose("Ben", in: .field("Who"))
            try await ann.click(.toggle("Saturday"))
            try await ann.click(.toggle("Sunday"))
            try await ann.type(into: .field("From"), "07:00")
            try await ann.click(.button("Make the rule"))
            try await ann.sees("Choose both times, or neither.")
            try await ann.type(into: .field("To"), "09:00")
            try await ann.sees("Notify me when Ben Lake arrives at School, Monday to Friday,")
            try await ann.sees("7:00 to 9:00.")
            try await ann.picture("rule-form-1280")
            try await ann.click(.button("Make the rule"))
            try await ann.sees("Ben Lake has not answered yet.")

            try await ben.visit("People")
            try await ben.sees("wants someone notified when you arrive at")
            try await ben.click(.link("Agree or refuse"))
            try await ben.sees("Ann Lake is notified when you arrive at School, Monday to Friday")
            try await ben.sees("No one is notified until you agree.")
            // He sees where that is.
            try await ben.shows(.css(".own-circle"))
            try await ben.wait(for: "a page that fits", PlacesOnPage.fits)
            try await ben.picture("rule-asked-360")
            try await ben.click(.button("Refuse"))
            try await ben.sees("You have refused: no one is notified.")
            try await ann.sees("Ben Lake does not agree: no one is notified.")
            try await ben.click(.button("Agree"))
            try await ben.sees("You have agreed.")
            try await ann.sees("Ben Lake agrees.")

            // The list of who sees me also shows it.
            try await ben.visit("People")
            try await ben.sees("Ann Lake is notified when you arrive at School")
            try await ben.click(.link("End this under Places"))
            try await ben.click(.button("End"))
            try await ben.click(.css("dialog .button.danger"))
            try await ben.sees("You have refused: no one is notified.")
            try await ann.sees("Ben Lake does not agree: no one is notified.")
            // Its maker ends it for everyone.
            try await ann.click(.button("End"))
            try await ann.click(.css("dialog .button.danger"))
            try await ann.loses("Notify me when Ben Lake")
            try await ben.reload()
            try await ben.sees("No one is notified when you arrive")
            try await ben.loses("Ann Lake is notified when you arrive")
        }
    }

    @Test func `A rule for not being there in time is shown in words, with its time`() async throws
    {
        try await withWebsite { site in
            _ = try await family(site)
            _ = try await school(site)
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.go(to: "\(site.address)#places/own")
            try await page.click(.button("Notify me about someone at School"))
            try await page.choose("Ben", in: .field("Who"))
            try await page.choose("Is not there in time", in: .field("What"))
            try await page.type(into: .field("Not there by"), "")
            try await page.click(.button("Make the rule"))
            try await page.sees("Choose a time of day.")
            try await page.type(into: .field("Not there by"), "08:15")
            try await page.click(.button("Make the rule"))
            try await page.sees("Notify me if Ben Lake is not at School by 8:15.")
            let rules = try await site.installation.done("ben", "geofence.rule.list")["rules"]
                .elements
            #expect(rules.first?["by"] == "08:15")
            #expect(rules.first?["user"] == "ben")
        }
    }

    @Test func `A user's own places are offered as a file for OwnTracks`() async throws {
        try await withWebsite { site in
            let group = try await family(site)
            _ = try await school(site)
            _ = try await school(site, group: group)
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.go(to: "\(site.address)#places/own")
            try await page.shows(.link("File for OwnTracks"))
            let text: String = try await page.evaluate(
                "document.querySelector('a[download$=\".otrw\"]').dataset.content")
            let file = JSON(parsing: text)
            #expect(file["_type"] == "waypoints")
            #expect(file["waypoints"].elements.count == 1)
            let waypoint = try #require(file["waypoints"].elements.first)
            #expect(waypoint["_type"] == "waypoint")
            #expect(waypoint["desc"] == "School")
            #expect(waypoint["lat"].number == PlacesOnPage.latitude)
            #expect(waypoint["lon"].number == PlacesOnPage.longitude)
            #expect(waypoint["rad"].number == 200)
            #expect((waypoint["tst"].number ?? 0) > 1_700_000_000)
        }
    }

    @Test func `Names of other people's places are shown as text everywhere`() async throws {
        try await withWebsite { site in
            let group = try await family(site)
            let name = "<img src=x onerror=alert(1)>"
            let made = try await site.installation.done(
                "ben", "geofence.create",
                """
                {"name":"\(name)","latitude":\(PlacesOnPage.latitude),
                "longitude":\(PlacesOnPage.longitude),"group":"\(group)"}
                """)
            let place = try #require(made["geofence"]["geofence"].text)
            try await site.installation.done(
                "ben", "geofence.rule.add",
                #"{"geofence":"\#(place)","when":"leaves","user":"ann"}"#)
            try await site.installation.done(
                "ann", "reminder.create",
                #"{"place":"\#(place)","text":"<b>\#(name)","when":"near","radius":200,"timeZone":"UTC"}"#
            )
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.go(to: "\(site.address)#places/own")
            try await page.sees("Ben Lake is notified when you leave \(name).")
            try await page.shows(.css(".circle-name"))
            try await page.click(.link("Reminders"))
            try await page.sees("<b>\(name)")
            try await page.visit("People")
            try await page.sees("are not at \(name). No one is notified unless you agree.")
            #expect(try await page.evaluate("document.querySelectorAll('img[src=x]').length") == 0)
        }
    }

    @Test func `Without a connection the rules stay, with the time of the last update`()
        async throws
    {
        try await withWebsite { site in
            _ = try await family(site)
            let place = try await school(site)
            try await site.installation.done(
                "ann", "geofence.rule.add",
                #"{"geofence":"\#(place)","when":"leaves","user":"ben"}"#)
            let page = try await site.logIn("ben", width: 360, height: 740)
            page.visitor.tolerate { $0.source == .network }
            try await page.go(to: "\(site.address)#places/own")
            try await page.sees("Ann Lake is notified when you leave School.")
            try await page.wait(for: "a page that opens without network", "\(Page.isCached)")
            try await page.visitor.setOffline(true)
            try await page.sees("No connection: last updated")
            try await page.sees("Ann Lake is notified when you leave School.")
            try await page.click(.button("Agree"))
            try await page.sees("The server cannot be reached.")
            try await page.visitor.setOffline(false)
            try await page.loses("No connection: last updated")
            try await page.click(.button("Agree"))
            try await page.sees("You have agreed.")
        }
    }
}
