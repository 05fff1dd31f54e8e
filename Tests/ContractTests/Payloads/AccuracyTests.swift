import Contract
import JSON
import Testing
import Tracking

/// The accuracy of a position in metres: none counts as good, and nonsense does not count as none.
struct AccuracyTests {
    /// Values that devices send when it is unknown, and other impossible ones.
    static let nonsense = [
        "-1", "-0.001", "-1e300", "20004001", "1e9", "1e400", "true", "[5]", #""far""#, "{}",
    ]

    @Test(arguments: nonsense)
    func `A Fix with an impossible accuracy may be anywhere, which is reported`(_ value: String)
        throws
    {
        let message = try FixMessage(
            #"{"latitude":46,"longitude":14.5,"timestamp":1777629600000,"accuracy":\#(value)}"#
                .bytes,
            receivedAt: .now, FixLimits())
        #expect(message.fixes.map(\.accuracy) == [20_004_000])
        #expect(message.leftOut?.errors.map(\.field) == ["accuracy"])
    }

    @Test(arguments: nonsense)
    func `An OwnTracks location with an impossible accuracy may be anywhere`(_ value: String) throws
    {
        let text =
            #"{"_type":"location","lat":46,"lon":14.5,"tst":1777629590,"acc":\#(value)}"#
        let message = try OwnTracksMessage(text.bytes, receivedAt: .now, FixLimits())
        guard case .locations(let locations, _, _) = message else {
            Issue.record("no locations")
            return
        }
        #expect(locations.map(\.fix?.accuracy) == [20_004_000])
    }

    @Test(arguments: [("", nil), (#","accuracy":null"#, nil), (#","accuracy":0"#, 0.0)])
    func `A Fix keeps an accuracy that is missing, null or zero`(
        _ member: String, accuracy: Double?
    ) throws {
        let message = try FixMessage(
            #"{"latitude":46,"longitude":14.5,"timestamp":1777629600000\#(member)}"#.bytes,
            receivedAt: .now, FixLimits())
        #expect(message.fixes.map(\.accuracy) == [accuracy])
        #expect(message.leftOut == nil)
    }
}
