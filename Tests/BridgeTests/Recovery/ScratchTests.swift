import Contract
import MQTT
import Testing
import Tracking

@testable import Bridge

struct ScratchTests {
    @Test func `A call for help that is delivered again calls nobody again`() throws {
        let world = try World.withFamily()
        let call = world.ownTracks("alice/app", Phone.location(1, at: world.now, #","poi":"SOS""#))
        let stop = world.requestMessage("alice", "sos.stop", #"{"id":1}"#)
        try world.crashAfterCommit(of: [call, stop])
        #expect(world.state(of: "alice")["state"]?.text == "active")
        #expect(try world.count("alerts") == 2)
    }

    @Test func `Requests without an id that are delivered again alert nobody again`() throws {
        let world = try World.withFamily()
        let trigger = world.requestMessage("alice", "sos.trigger")
        let stop = world.requestMessage("alice", "sos.stop")
        try world.turn([trigger, stop])
        world.sleep(.seconds(1))
        try world.restart()
        try world.turn([trigger, stop])
        #expect(try world.count("alerts") == 2)
    }
}
