import Foundation
import TestSupport
import Testing
import Tracking

@testable import Store

/// Stored JSON stays readable.
struct DocumentTests {
    static let versions = 1...Document.newest

    @Test(arguments: Stored.documents("tracker"), versions)
    func `A tracker of any version is read and written in today's form`(
        _ name: String, _ version: Int
    ) throws {
        let saved = try Document.savedTracker(try Stored.document(name, version: version))
        let written = try Stored.written(name) { Document.text(saved) }
        #expect(Document.text(saved) == written)
        #expect(try Document.text(Document.savedTracker(written)) == written)
    }

    @Test(arguments: Stored.documents("alert"), versions)
    func `An alert of any version is read and written in the newest`(_ name: String, _ version: Int)
        throws
    {
        let alert = try Document.alert(try Stored.document(name, version: version))
        let newest = try Stored.document(name, version: Document.newest)
        #expect(Document.text(alert) == newest)
        #expect(try Document.alert(newest) == alert)
    }

    @Test(arguments: versions) func `A stored SOS keeps its meaning in every version`(
        _ version: Int
    ) throws {
        let saved = try Document.savedTracker(
            try Stored.document("tracker-emergency", version: version))
        let (tracker, rules) = (saved.tracker, Rules())
        let family = try #require(tracker.session(in: GroupID(rawValue: 2)))
        #expect(tracker.user.rawValue == 7)
        #expect(family.state == .sos)
        #expect(try #require(family.sharedSince) < family.since)
        #expect(tracker.journey == nil)
        let emergency = try #require(tracker.emergency)
        #expect(emergency.startedAt == family.since)
        #expect(emergency.calledAt.milliseconds == 1_795_344_720_000)
        #expect(tracker.path?.mode == .sos)
        #expect(tracker.path?.groups.map(\.rawValue) == [2, 3])
        #expect(tracker.path?.count == 21)
        #expect(tracker.warnings == .offline)
        #expect(!tracker.isOnline)
        // The alert that one of the groups has not seen is sent for the third time.
        let due = try #require(tracker.nextDue(listeningSince: .noon, rules))
        var later = tracker
        let effects = later.advance(to: due, listeningSince: .noon, rules)
        #expect(effects.count == 1)
        guard case .alert(let alert, repetition: 3) = effects.first else {
            Issue.record("it is not told again")
            return
        }
        #expect(alert.at == emergency.startedAt)
        // The person's current position.
        #expect(alert.fix == tracker.latest)
        let receipts = try #require(saved.logs.first?.receipts)
        #expect(receipts.storedThrough == 20)
        #expect(receipts.beyond == [60...79])
    }

    @Test(arguments: versions) func `A stored journey keeps its meaning in every version`(
        _ version: Int
    ) throws {
        let tracker = try Document.savedTracker(
            try Stored.document("tracker-stuck", version: version)
        ).tracker
        let journey = try #require(tracker.journey)
        #expect(journey.destination?.name == "the station")
        #expect(journey.isStuck)
        #expect(!journey.isLate)
        #expect(journey.startedAt < journey.eta)
        #expect(tracker.emergency == nil)
        #expect(tracker.path?.count == 49)
        let other = try #require(tracker.session(in: GroupID(rawValue: 9)))
        #expect(other.state == .inactive(lastKnown: tracker.latest))
        #expect(other.sharedSince == nil)
    }

    @Test func `A document of a newer version is refused in one sentence`() throws {
        let newest = try Stored.document("alert-sos", version: Document.newest)
        let newer = newest.replacing(
            "{\"v\":\(Document.newest),", with: "{\"v\":\(Document.newest + 1),")
        #expect(newer != newest)
        let refusal = StoreError(
            .migrate,
            reason: "it was made by a newer version of Kith (document \(Document.newest + 1), "
                + "this one reads up to \(Document.newest))")
        #expect(throws: refusal) { try Document.alert(newer) }
        #expect(throws: refusal) { try Document.savedTracker(newer) }
        // As one that cannot be read, it would be replaced.
        #expect(throws: refusal) { try Document.opened(Array(newer.utf8), Document.monitored) }
        #expect(try Document.opened(Array("{}".utf8), Document.monitored) == nil)
        #expect(try Document.opened(nil, Document.monitored) == nil)
    }

    @Test(arguments: ["", "[]", "null", "{}", #"{"v":1}"#, #"{"v":2.5}"#, #"{"v":"2"}"#])
    func `An invalid document is damaged`(_ text: String) {
        #expect(throws: StoreError.damagedDocument) { try Document.savedTracker(text) }
        #expect(throws: StoreError.damagedDocument) { try Document.alert(text) }
    }

    @Test(arguments: [
        (#""earliest":1795345068586"#, #""earliest":1795345107587"#),
        (#""storedThrough":51"#, #""storedThrough":-2"#),
        (#""storedThrough":51"#, #""storedThrough":9007199254740992"#),
        (#""beyond":[]"#, #""beyond":[[-1,3]]"#),
        (#""beyond":[]"#, #""beyond":[[60,9007199254740992]]"#),
        (#""beyond":[]"#, #""beyond":[[3,2]]"#),
    ])
    func `Impossible device numbers are damage`(_ right: String, _ wrong: String) throws {
        let text = try Stored.document("tracker-stuck", version: Document.newest)
        let damaged = text.replacing(right, with: wrong)
        #expect(damaged != text)
        #expect(throws: StoreError.damagedDocument) { try Document.savedTracker(damaged) }
    }

    /// Foreign text has a limit, but text stored before the limit is still read.
    @Test func `Stored text may have any number of combining marks`() throws {
        let text = try Stored.document("tracker-stuck", version: Document.newest)
        let name = "the station" + String(repeating: "\u{301}", count: 100)
        let other = text.replacing("\"the station\"", with: "\"\(name)\"")
        let tracker = try Document.savedTracker(other).tracker
        #expect(tracker.journey?.destination?.name == name)
    }

    @Test func `An unrepresentable time is stored as the last representable one`() throws {
        var log = DeviceLog(device: DeviceID(rawValue: 1))
        var fix = Fix.taken(0)
        fix.takenAt = Timestamp(milliseconds: .max)
        _ = log.note(fix, as: FixID(rawValue: 1))
        let saved = SavedTracker(tracker: Tracker(user: UserID(rawValue: 7)), logs: [log])
        let read = try Document.savedTracker(Document.text(saved)).logs.first
        #expect(read?.newest == Timestamp(milliseconds: 1 << 53))
        #expect(read?.openChunk?.count == 1)
    }

    @Test(arguments: Stored.documents("tracker"), versions)
    func `A malformed member is damage, never a trap`(_ name: String, _ version: Int) throws {
        let document = try JSONSerialization.jsonObject(
            with: Data(try Stored.document(name, version: version).utf8))
        let variants = Damage.variants(of: document)
        #expect(variants.count > 50)
        // In version 1 this was not read, and a state was an object.
        for (path, variant) in variants
        where !path.hasSuffix(".change") && !path.contains(".state.") {
            let text = String(
                decoding: try JSONSerialization.data(withJSONObject: variant), as: UTF8.self)
            #expect(throws: StoreError.damagedDocument, "\(path)") {
                try Document.savedTracker(text)
            }
        }
    }
}

/// The same document repeatedly, each time with another member made meaningless.
private enum Damage {
    static func variants(of value: Any, at path: String = "") -> [(path: String, value: Any)] {
        var found: [(path: String, value: Any)] = []
        if let object = value as? [String: Any] {
            for key in object.keys.sorted() {
                found.append((path + "." + key, replaced(object, key, with: ["x": 1])))
                for inner in variants(of: object[key] as Any, at: path + "." + key) {
                    found.append((inner.path, replaced(object, key, with: inner.value)))
                }
            }
        } else if let array = value as? [Any], let first = array.first {
            // One element stands for all.
            for inner in variants(of: first, at: path + "[0]") {
                found.append((inner.path, [inner.value] + array.dropFirst()))
            }
        }
        return found
    }

    private static func replaced(_ object: [String: Any], _ key: String, with value: Any) -> Any {
        var object = object
        object[key] = value
        return object
    }
}
