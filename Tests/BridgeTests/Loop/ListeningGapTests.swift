import Testing
import Tracking

@testable import Bridge

/// What has waited at the broker because nobody listened is no older for it.
struct ListeningGapTests {
    private let start = Timestamp.morning

    @Test func `What was sent before and during a gap may have waited since its beginning`() {
        var gap = ListeningGap()
        #expect(gap.start(isListening: false) == nil, "nothing is known of earlier")
        gap.end(at: start)
        gap.note(listeningAt: start)
        #expect(gap.start(isListening: true) == nil)
        #expect(gap.start(isListening: false) == start)
        let end = start + .seconds(7200)
        gap.end(at: end)
        gap.note(listeningAt: end)
        #expect(gap.start(isListening: true) == start)
        // What has waited has come.
        gap.note(listeningAt: end + ListeningGap.catchingUp)
        #expect(gap.start(isListening: true) == nil)
    }

    @Test func `A short one is none, and another one adds to the last`() {
        var gap = ListeningGap(heardAt: start)
        gap.end(at: start + .seconds(59))
        #expect(gap.start(isListening: true) == nil)
        gap.end(at: start + .seconds(60))
        gap.note(listeningAt: start + .seconds(61))
        gap.end(at: start + .seconds(200))
        #expect(gap.start(isListening: true) == start)
    }
}
