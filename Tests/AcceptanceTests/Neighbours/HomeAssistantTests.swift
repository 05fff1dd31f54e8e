import Foundation
import MQTT
import TestBroker
import TestSupport
import Testing

/// `kith home-assistant`, with a second stock Mosquitto as Home Assistant's.
@Suite(.timeLimit(.minutes(3)))
struct HomeAssistantTests {
    /// What is retained on Home Assistant's broker, by topics.
    private func retained(_ home: TestBroker) throws -> [String: String] {
        let reader = try Peer("reader", at: home)
        try reader.connect()
        // With QoS 0, what is retained arrives before the answer to the next subscription.
        for filter in ["kith-home/#", "homeassistant/#", "none"] {
            try #require(try reader.subscribe(to: filter, qos: .atMostOnce))
        }
        return Dictionary(
            reader.messages.filter(\.retain).map {
                ($0.topic, String(decoding: $0.payload, as: UTF8.self))
            }, uniquingKeysWith: { $1 })
    }

    private func exporter(
        _ installation: Installation, _ home: TestBroker, _ group: String, _ file: String
    )
        -> RunningProgram
    {
        RunningProgram(
            Program.kith,
            [
                "home-assistant", "--group", group, "--token", file, "--kith",
                "127.0.0.1:\(installation.port)", "--to", "127.0.0.1:\(home.port)",
            ])
    }

    @Test func `The operator lists the observers of all groups, and ends one`() async throws {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            #expect(try await installation.kith("observer", "list") == "")
            let made = try await installation.done(
                "ann", "observer.create", #"{"group":"\#(group)","name":"Home"}"#)
            let (id, token) = (
                try #require(made["observer"].text), try #require(made["token"].text)
            )
            let line = try await installation.kith("observer", "list").split(separator: "\t")
            #expect(line.prefix(3) == [id[...], group[...], "ann"])
            #expect(line.suffix(2) == ["Family", "Home"])
            let list = JSON(parsing: try await installation.kith("observer", "list", "--json"))
            let only = try #require(list["observers"].elements.first)
            #expect(only["observer"].text == id && only["groupName"] == "Family")
            func listen() async throws -> Ending {
                try await Program.run(
                    "mosquitto_sub",
                    [
                        "-p", "\(installation.port)", "-u", "observer:\(id)", "-P", token, "-t",
                        "kith/groups/\(group)", "-C", "1", "-W", "25",
                    ])
            }
            #expect(try await listen().output.contains(id))
            #expect(try await installation.kith("observer", "end", id) == "Ended \(id).")
            #expect(try await installation.kith("observer", "list") == "")
            let ended = try await listen()
            #expect(ended.output == "" && ended.errors.contains("not authorised"), "\(ended)")
            let notices = try await installation.done("ann", "notice.list")["notices"].elements
            #expect(notices.first?["kind"] == "observer-ended")
        }
    }

    @Test func `A group appears in Home Assistant and is removed when the observer ends`()
        async throws
    {
        try await withInstallation { installation in
            try await withBroker { home in
                let group = try await installation.family("ann", "ben")
                try await installation.start()
                let made = try await installation.done(
                    "ann", "observer.create", #"{"group":"\#(group)","name":"Home Assistant"}"#)
                let file = installation.directory + "/observer"
                let token = try #require(made["token"].text)
                try token.write(toFile: file, atomically: true, encoding: .utf8)
                var running = exporter(installation, home, group, file)
                let members = "kith-home/\(group)/members"
                let discovery = "homeassistant/device_tracker/kith_\(group)/ann_position/config"
                func sees(_ what: String, _ condition: ([String: String]) -> Bool) async throws {
                    _ = try await eventually(what) {
                        condition(try retained(home)) ? true : nil
                    }
                }
                try await sees("both members") {
                    $0["kith-home/\(group)/status"] == "online" && $0[discovery] != nil
                        && $0["\(members)/ben/sos"] == "OFF"
                }
                // Being viewed does not make a user online.
                try await sees("Ben, away") {
                    $0["\(members)/ben/position"]?.contains(#""online":false"#) == true
                }

                try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
                try await installation.publish(Topic.fix("ann"), fix(at: 0, #","battery":80"#))
                try await sees("a position") {
                    $0["\(members)/ann/position"]?.contains(#""battery_level":80"#) == true
                        && $0["\(members)/ann/position"]?.contains(#""latitude":46"#) == true
                }
                try await installation.done("ann", "sos.trigger")
                try await sees("an SOS") { $0["\(members)/ann/sos"] == "ON" }
                try await installation.done("ann", "sos.stop")
                try await sees("its end") { $0["\(members)/ann/sos"] == "OFF" }

                // Killed, it is reported as away; a member who left meanwhile is gone afterwards.
                await running.kill()
                try await sees("that nobody tells it") {
                    $0["kith-home/\(group)/status"] == "offline"
                }
                try await installation.done("ben", "group.leave", #"{"group":"\#(group)"}"#)
                running = exporter(installation, home, group, file)
                try await sees("Ann alone") { texts in
                    texts["kith-home/\(group)/status"] == "online" && texts[discovery] != nil
                        && !texts.keys.contains { $0.contains("ben") }
                }

                let id = try #require(made["observer"].text)
                try await installation.done(
                    "ann", "observer.end", #"{"group":"\#(group)","observer":"\#(id)"}"#)
                let last = running
                _ = try await eventually("its end: \(last.lines)") { last.ending }
                #expect(last.ending == "exited(1)")
                #expect(last.lines.last?.contains("no longer admits the observer") == true)
                #expect(try retained(home) == [:])
            }
        }
    }

    @Test func `Invalid arguments are refused in a sentence`() async throws {
        for (arguments, sentence) in [
            (["--group", "x"], "x is not a group id."),
            (["--group", "FamilyFamilyFamily_-09"], "The file that --token names cannot be read."),
        ] {
            let ending = try await Program.run(
                Program.kith,
                ["home-assistant", "--token", "/none", "--to", "127.0.0.1:1"] + arguments)
            #expect(ending.status == 1)
            #expect(ending.complaints == ["kith: \(sentence)"])
        }
    }
}
