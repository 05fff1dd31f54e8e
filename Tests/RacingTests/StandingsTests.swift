import Racing
import Testing
import Tracking

/// The order of runners.
struct StandingsTests {
    private let clock = RaceClock(.own, gun: Street.gun)

    private func runner(_ speed: Double, until seconds: Double, on course: Course) -> Runner {
        Street.follow(
            Street.run(course, speed: speed).filter {
                (Street.seconds($0.takenAt) ?? 0) <= seconds
            }, on: course)
    }

    @Test func `Finishers rank by time, others by distance; ties share a rank`() throws {
        let course = try Course(Street.line((0, 0), (1_000, 0)))
        let standings = Standings(
            [
                7: runner(5, until: 300, on: course), 3: runner(4, until: 300, on: course),
                5: runner(4, until: 300, on: course), 1: runner(2, until: 300, on: course),
                9: runner(3, until: 300, on: course), 4: Runner(),
            ], by: clock)
        #expect(standings.entries.map(\.bib) == [7, 3, 5, 9, 1])
        #expect(standings.entries.map(\.rank) == [1, 2, 2, 4, 5])
    }

    @Test func `Ranks follow the time shown, the runner's own or the gun's`() throws {
        let course = try Course(Street.line((0, 0), (1_000, 0)))
        // The first over the line has started at once; the other was faster, from the last row.
        let late = Street.run(course, speed: 4.9).map {
            Street.fix($0.coordinate, (Street.seconds($0.takenAt) ?? 0) + 60)
        }
        let runners = [
            1: Street.follow(Street.run(course, speed: 4), on: course),
            2: Street.follow(late, on: course),
        ]
        for (ranking, bibs) in [(RaceClock.Ranking.own, [2, 1]), (.gun, [1, 2])] {
            let clock = RaceClock(ranking, gun: Street.gun)
            let entries = Standings(runners, by: clock).entries
            #expect(entries.map(\.bib) == bibs)
            let times = entries.compactMap { entry in runners[entry.bib].flatMap(clock.time) }
            #expect(times == times.sorted() && times.count == 2)
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func `Ranking is a total order, independent of the order of input`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let course = try Course(Street.line((0, 0), (1_000, 0)))
        var runners: [Int: Runner] = [:]
        for bib in 1...40 {
            runners[bib] = runner(
                Double.random(in: 2...6, using: &random),
                until: Double.random(in: 0...400, using: &random), on: course)
        }
        let standings = Standings(runners, by: clock)
        #expect(Set(standings.entries.map(\.bib)).count == standings.entries.count)
        #expect(standings.entries.map(\.rank) == standings.entries.map(\.rank).sorted())
        for entry in standings.entries {
            let before = standings.entries.filter { $0.rank < entry.rank }
            #expect(before.count == entry.rank - 1)
        }
        let again = Standings(
            Dictionary(uniqueKeysWithValues: runners.shuffled(using: &random).map { ($0, $1) }),
            by: clock)
        #expect(again == standings)
    }
}
