import MQTT
import TestBroker
import TestSupport
import Testing

/// A user's account is deleted while others are away.
struct ErasureTests {
    private func persistent(
        _ who: String, _ gate: GatedBroker, version: ConnectionOptions.Version
    ) throws -> Peer {
        try gate.client(who) { options in
            (options.cleanStart, options.sessionExpiry) = (false, version == .v5 ? 3600 : 0)
            options.version = version
        }
    }

    @Test(arguments: [ConnectionOptions.Version.v311, .v5], [false, true])
    func `Queued messages of or about an erased user are not delivered`(
        version: ConnectionOptions.Version, isRestarted: Bool
    ) async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let bob = try persistent("bob.phone", gate, version: version)
            try bob.connect()
            try bob.listen(to: FamilyTopic.root + "/#")
            try bob.cutTheLine()
            let ofBob = #"{"kind":"sos","user":"bob","acknowledgedBy":["alice"]}"#
            for (topic, payload) in [
                (FamilyTopic.root + "/chat", #"{"kind":"message","from":"alice","text":"hi"}"#),
                (FamilyTopic.alerts, #"{"kind":"sos","user":"alice","fix":{"latitude":1}}"#),
                (FamilyTopic.alerts, ofBob),
                (FamilyTopic.alice, #"{"user":"alice","state":"sos"}"#),
            ] {
                try bridge.publish(topic, payload)
            }
            try bridge.catchUp()
            if isRestarted {
                await gate.broker.stop()
                try gate.town.erase("alice")
                try await gate.broker.start()
            } else {
                try gate.town.erase("alice")
            }
            try bob.connect()
            #expect(bob.sessionPresent == true)
            try turn([bob]) { !bob.messages.isEmpty }
            try bob.catchUp()
            #expect(bob.payloads == [ofBob])
        }
    }
}
