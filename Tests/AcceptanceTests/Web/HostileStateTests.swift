import Browser
import Foundation
import Testing

/// The page keeps working whatever is published about others: `withWebsite` fails if a script
/// threw.
@Suite(.timeLimit(.minutes(3)))
struct HostileStateTests {
    @Test func `A member at the ends of the world is shown along with the others`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben", "mal")
            let installation = site.installation
            for user in ["ben", "mal"] {
                try await installation.done(user, "sharing.start", #"{"groups":"all"}"#)
            }
            let page = try await site.logIn("ann")
            try await installation.done(
                "mal", "journey.start",
                """
                {"groups":["\(group)"],"eta":"\(time(in: 900))","destination":{"latitude":90,\
                "longitude":180,"radius":100000,"name":"W\(String(repeating: "\u{301}", count: 30))"}}
                """)
            for (latitude, longitude) in [
                (90.0, 1.0), (-90, 180), (0.000_000_1, -180), (89.9999999, 180),
                (0.000_000_1, 179.9999999), (85.1, -180),
            ] {
                // So far away that it takes two; an exact 0 would not be believed.
                for milliseconds in 0...1 {
                    let time = Int(Date().timeIntervalSince1970 * 1000) + milliseconds
                    try await installation.publish(
                        Topic.fix("mal"),
                        """
                        {"latitude":\(latitude),"longitude":\(longitude),"accuracy":20004000,\
                        "altitude":2000000,"altitudeAccuracy":20004000,"speed":11200,\
                        "heading":360,"battery":0,"timestamp":\(time)}
                        """)
                }
                if latitude == 90 {
                    try await page.says("may be far off", of: "mal")
                    try await page.click(.css("li[data-user='mal'] button"))
                }
                let text = "\(String(format: "%.5f", abs(latitude)))°"
                try await page.says(text, of: "mal")
            }
            try await page.click(.button("Follow"))
            try await installation.done("mal", "sos.trigger")
            try await page.sees("Mal needs help")
            try await page.click(.button("Show everyone on the map"))
            try await installation.publish(Topic.fix("ben"), fix(at: 100))
            try await page.click(.css("li[data-user='ben'] button"))
            try await page.says("46.05090° N", of: "ben")
            try await page.reload()
            try await page.says("SOS", of: "mal")
            try await page.shows(.css(".person-marker[data-state=sos]"))
        }
    }

    /// From a bridge of another version, or one with a bug.
    @Test func `Malformed state is not shown, and nothing else is lost`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben", "mal")
            let page = try await site.logIn("ann")
            try await page.says("Not sharing", of: "mal")
            let odd = [
                "5", #""x""#, "[]", "{}", "[null]", "true", #"{"members":5}"#,
                #"{"user":"mal","name":5,"state":"sos","online":1,"warnings":7,"version":99,"fix":{}}"#,
                """
                {"user":"mal","name":"Mal","state":"routing","online":true,"warnings":[null],\
                "version":99,"since":"x","fix":{"latitude":"46","longitude":null,"timestamp":5},\
                "journey":{"destination":7,"eta":{}}}
                """,
                #"{"id":"zz","kind":"sos","group":"\#(group)","user":"mal","at":"never"}"#,
                #"{"id":7,"kind":"message","group":"\#(group)","from":{},"at":null,"text":[1]}"#,
                #"{"segment":1,"mode":"sos","points":[[1],["a","b","c"],null]}"#,
                #"{"id":"n","kind":"sharing-reminder","at":"never","groups":5,"friends":"x"}"#,
            ]
            for payload in odd {
                for topic in [
                    Topic.member(group, "mal"), Topic.alerts(group), Topic.chat(group),
                    Topic.member(group, "mal") + "/path/1", Topic.member(group, "mal") + "/path/x",
                    "kith/groups/\(group)", "kith/users/ann/notices",
                ] {
                    try await site.installation.publish(topic, payload, as: .bridge)
                }
            }
            let crowd = (0..<1500).map { #"{"user":"u\#($0)","name":"N\#($0)"}"# }
            try await site.installation.publish(
                "kith/groups/\(group)",
                #"{"group":"\#(group)","name":"Family","members":[{"user":"ben","name":"Ben"},"#
                    + crowd.joined(separator: ",") + "]}", as: .bridge)
            try await page.sees("1,501 members")
            try await site.installation.done("ben", "sharing.start", #"{"groups":"all"}"#)
            try await site.installation.publish(Topic.fix("ben"), fix(at: 0))
            try await page.says("just now", of: "ben")
            for view in ["Alerts", "Chat", "People", "Me", "Map"] { try await page.visit(view) }
        }
    }
}
