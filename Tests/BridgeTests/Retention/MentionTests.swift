import Contract
import Testing

@testable import Bridge

/// Whether a payload mentions a user, whatever the user is called.
struct MentionTests {
    private static let alert = """
        {"id":"1","kind":"sos","group":"family","user":"alice","name":"Alice","by":"bob",
        "acknowledgedBy":["carol"],"text":"Alice needs help!","state":"active"}
        """

    private func isIn(_ payload: String, _ name: String, _ displayName: String = "Nobody")
        throws -> Bool
    {
        Mention(try #require(Name(name)), displayName).isIn(Array(payload.utf8))
    }

    @Test(arguments: ["alice", "bob", "carol"])
    func `An alert mentions each user whom it names`(_ name: String) throws {
        #expect(try isIn(MentionTests.alert, name))
        #expect(try isIn(#"{"id":7,"result":{"alert":\#(MentionTests.alert)}}"#, name))
        #expect(try isIn(#"{"result":{"message":{"from":{"user":"\#(name)"}}}}"#, name))
    }

    @Test(arguments: [
        "id", "kind", "sos", "group", "family", "user", "name", "by", "acknowledged", "state",
        "active",
        "result", "text", "dave",
    ])
    func `A user name that is a protocol keyword matches nothing else`(_ name: String) throws {
        #expect(try !isIn(MentionTests.alert, name))
        #expect(try !isIn(#"{"id":7,"result":{"alert":\#(MentionTests.alert)}}"#, name))
    }

    @Test func `A GPX track mentions a person only by display name`() throws {
        let track = #"{"result":{"gpx":"<trk><name>Zoe &amp; Co</name></trk>"}}"#
        #expect(try isIn(track, "zoe", "Zoe & Co"))
        #expect(try !isIn(track, "zoe", "Zoe"))
    }
}
