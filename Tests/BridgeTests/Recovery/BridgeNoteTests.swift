import Testing
import Tracking

@testable import Bridge

/// A bridge's note about itself in its lock file.
struct BridgeNoteTests {
    @Test func `The lock file shows whether a bridge holds it, and that bridge's note`() throws {
        let database = try TemporaryDatabase()
        #expect(BridgeNote.holder(besides: database.path) == .nobody)
        let note = BridgeNote.own(at: .morning)
        do {
            let lock = try #require(try BridgeLock(besides: database.path))
            #expect(BridgeNote.holder(besides: database.path) == .bridge(nil))
            lock.note(note.line)
            #expect(BridgeNote.holder(besides: database.path) == .bridge(note))
            lock.note("x")
            #expect(BridgeNote.holder(besides: database.path) == .bridge(nil))
        }
        #expect(BridgeNote.holder(besides: database.path) == .nobody)
    }

    @Test(arguments: [
        "", "{}", #"{"process":1}"#, "no JSON", #"{"process":"1","since":0,"version":""}"#,
    ])
    func `A malformed note is rejected`(_ line: String) {
        #expect(BridgeNote(line) == nil)
    }
}
