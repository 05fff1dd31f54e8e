import Contract
import JSON
import Racing
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

extension World {
    /// Everything happened to Alice, and Acme is a company.
    static func withEverything() throws -> World {
        let world = try World.withFamily()
        try world.addUsers("carol")
        let until = world.now.milliseconds + 3_600_000
        for (sender, method, payload) in [
            ("alice", "sos.trigger", "{}"), ("alice", "sos.stop", "{}"),
            ("alice", "chat.send", #"{"group":"$family","text":"hello"}"#),
            ("alice", "channel.add", #"{"kind":"webhook","url":"https://hook.example/"}"#),
            ("alice", "share.create", #"{"what":"position","until":\#(until)}"#),
            ("alice", "observer.create", #"{"group":"$family","name":"Home"}"#),
            (
                "alice", "account.update",
                #"{"phone":"+386 1 23 45","language":"de","avatar":"\#(World.picture)"}"#
            ),
            ("alice", "friend.add", #"{"user":"bob"}"#), ("alice", "vitals.consent", "{}"),
            ("alice", "emergency.subscribe", "{}"),
            ("alice", "run.organise", #"{"name":"A.","acceptTerms":true}"#),
            ("alice", "run.create", world.newRun()),
            ("alice", "health.profile", #"{"ssn":"1234"}"#),
            (
                "alice", "import.add",
                #"{"source":"Watch","positions":[{"latitude":1,"longitude":2,"timestamp":3}]}"#
            ),
            ("bob", "friend.add", #"{"user":"alice"}"#),
            ("alice", "group.invite", #"{"group":"$family","user":"carol"}"#),
            ("alice", "friend.block", #"{"user":"carol"}"#), ("bob", "sos.trigger", #"{"id":"b"}"#),
        ] {
            try world.fix("alice", TestFix(1))
            try world.vitals("alice", rate: 72)
            #expect(try world.outcome(Sender(sender), method, payload) == "ok")
            world.sleep(.seconds(5))
        }
        let run = try world.runs().first?["run"]?.text ?? ""
        #expect(try world.outcome("alice", "run.enrol", #"{"run":"\#(run)"}"#) == "ok")
        try world.store.transaction { transaction in
            guard let alice = try transaction.user("alice") else { return }
            try transaction.insertPasskeyHandle([1], of: alice.id)
            try transaction.save(
                DirectoryAccountRow(
                    user: alice.id, entry: "entryuuid=7", login: "alice.lake",
                    confirmedAt: world.now, due: world.now))
            let result = RunResultRow(
                run: Name(run) ?? "none", user: alice.id, bib: 1, name: nil, Runner(),
                clock: RaceClock(.own, gun: world.now))
            try transaction.set(result)
            try transaction.insert(
                PasskeyRow(
                    id: UUIDv7(at: world.now, random: (1, 2)), user: alice.id, credential: [1],
                    publicKey: [2], signCount: 0, isSynced: true, label: "Key",
                    addedAt: world.now, challengeAt: world.now))
        }
        try world.importPlaces(.bakery())
        let at = #""at":"2099-01-01T09:00""#
        _ = try world.ask("alice", "reminder.create", #"{"place":"bakery","text":"x",\#(at)}"#)
        _ = try world.ask(
            "alice", "geofence.create", World.school.replacing("}", with: #","group":"$family"}"#))
        let fence = try world.addFence(by: "alice")
        _ = try world.ask(
            "alice", "geofence.rule.add",
            #"{"geofence":"\#(fence)","when":"arrives","user":"alice","tell":{"user":"bob"}}"#)
        _ = try world.addRule(#""when":"leaves","user":"alice","tell":{"user":"alice"}"#)
        try world.makeService()
        #expect(try world.outcome("alice", "service.add", #"{"service":"myheart"}"#) == "ok")
        try world.makeService("mysteps")
        let asked = try world.askAsService(
            "data.request", #"{"user":"alice","reason":"Why?"}"#, service: "mysteps")
        #expect(asked.outcome == "ok")
        try world.passQuestions()
        let seen = #"{"id":"a","alert":"\#(world.names.lastAlert)","kind":"coming"}"#
        #expect(try world.outcome("alice", "alert.acknowledge", seen) == "ok")
        try world.collapse()
        #expect(try world.outcome("alice", "emergency.reactivate") == "ok")
        return world
    }

    /// The items of `account.export`, in its order.
    func wholeExport(of person: Sender) throws -> [JSONValue] {
        var items: [JSONValue] = []
        var cursor = JSONValue.null
        repeat {
            var payload = JSONWriter()
            payload.value(cursor)
            let field =
                cursor == .null
                ? "" : #""cursor":"# + String(decoding: payload.bytes, as: UTF8.self)
            let page = try ask(person, "account.export", "{\(field)}")["result"]
            items += page?["items"]?.elements ?? []
            cursor = page?["next"] ?? .null
        } while cursor != .null
        return items
    }
}
