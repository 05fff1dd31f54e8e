import Testing
import Tracking

@testable import FakeGPS

/// The rules applied to whole journeys.
struct JourneyScoreTests {
    private static let habits: [PhoneHabit] = [
        .every(.milliseconds(200)), .every(.seconds(1)), .every(.seconds(60)),
        .whileMoving(tellsSpeed: false), .whileMoving(tellsSpeed: true),
    ]

    /// Half an hour on foot to the north, a fix every five seconds.
    private let walk = Track(
        samples: (0..<360).map { sample(Double($0 * 5), 46 + Double($0) * 6.3e-5, 14) },
        gapThreshold: .seconds(60))

    @Test(arguments: habits)
    func `A walk to a place arrives and is not late, with any phone`(_ habit: PhoneHabit) throws {
        let score = try walk.score(of: habit, slack: .seconds(300))
        var right = JourneyScore()
        right.journeys = 1
        #expect(score == right)
    }

    @Test(arguments: habits)
    func `A walk there and back arrives at its end, with any phone`(_ habit: PhoneHabit) throws {
        let score = try walk.thereAndBack().score(of: habit, slack: .seconds(300))
        var right = JourneyScore()
        right.journeys = 1
        #expect(score == right)
    }

    @Test func `A walk that takes longer than planned is late, which is correct`() throws {
        let score = try walk.score(of: .every(.seconds(1)), slack: .seconds(-600))
        #expect((score.falselyLate, score.missedLate, score.missedArrivals) == (0, 0, 0))
    }

    @Test func `A phone that reports every quarter of an hour is unseen at the ETA`() throws {
        let score = try walk.score(of: .every(.seconds(900)), slack: .seconds(-1))
        #expect((score.unseen, score.falselyLate) == (1, 0))
    }

    @Test func `A phone that is silent at rest reports once that it has stopped`() throws {
        let told = try walk.first.thenStanding(for: .seconds(900)).reported(
            by: .whileMoving(tellsSpeed: true))
        #expect(told.samples.map(\.offset).max() == .seconds(60))
        #expect(told.samples.last?.speed == 0)
    }

    @Test func `A track begun later begins at the given distance`() {
        let begun = walk.thereAndBack().begun(at: 200)
        #expect(begun.samples[0].offset == .zero)
        #expect((200...208).contains(begun.samples[0].coordinate.distance(to: begun.destination)))
        #expect(begun.isLoop && !walk.isLoop && walk.isOneWay)
    }
}
