import Testing
import Tracking

@testable import Anonymity

/// Two companies ask at will for weeks while people join, leave, are erased, move and stop
/// measuring; then they combine all their answers.
@Suite struct AttackerTests {
    @Test(
        "Combined answers never isolate fewer than k people",
        arguments: 1...20 as ClosedRange<UInt64>)
    func isolatesNobody(seed: UInt64) throws {
        let service = try attack(seed: seed, comparesAnswers: true)
        #expect(service.history.records.count > 3)
        #expect(smallestClass(service.history) >= service.policy.k)
        #expect(smallestDifference(service.history) >= service.policy.k)
    }

    @Test("Combined answers isolate fewer than k people with the rule off")
    func isolatesSomebody() throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            let service = try attack(seed: seed, comparesAnswers: false)
            #expect(smallestClass(service.history) < service.policy.k)
            #expect(smallestDifference(service.history) < service.policy.k)
        }
    }

    private func attack(seed: UInt64, comparesAnswers: Bool) throws -> CohortService {
        var service = CohortService(seed: seed)
        service.policy.comparesAnswers = comparesAnswers
        var chance = SplitMix64(seed: seed &* 31)
        func pick<T>(_ choices: [T]) -> T {
            choices[Int.random(in: choices.indices, using: &chance)]
        }
        func person() -> Population.Person {
            Population.Person(
                age: pick(Array(20..<40)), gender: pick(["female", "male"]),
                residence: pick(["como", "lecco"]), heartRate: Double(pick(Array(50..<110))),
                cell: pick([1, 2, 3]))
        }
        for _ in 0..<150 { service.town.enter(person()) }
        for _ in 0..<100 {
            for _ in 0..<pick([0, 0, 0, 1, 1, 12]) {
                let somebody = pick(service.town.people.keys.sorted())
                switch pick([0, 1, 2, 3, 4]) {
                case 0: service.town.enter(person())
                case 1: service.town.leave(somebody)
                case 2: service.town.change(somebody) { $0.age += 5 }
                case 3: service.town.change(somebody) { $0.hasData.toggle() }
                default: service.town.change(somebody) { $0.cell = 4 - $0.cell }
                }
            }
            let from = pick([20, 25, 30, 35])
            let day = pick([0, 24, 48])
            _ = service.ask(
                try CohortFilter(
                    ageFrom: from, to: pick([from + 5, from + 10, 40]),
                    gender: pick([nil, nil, "female", "male"]),
                    residence: pick([nil, nil, "como"])),
                in: day..<(day + pick([1, 24, 72])), by: pick(["one", "two"]))
        }
        return service
    }

    /// The smallest set of people that the answers about one hour, combined, separate from the
    /// others: people are grouped by the answers that include them.
    private func smallestClass(_ history: CohortHistory) -> Int {
        var smallest = Int.max
        for hour in Set(history.records.map(\.question.window.lowerBound)) {
            let records = history.records.filter { $0.question.window.contains(hour) }
            for part in Set(records.flatMap(\.contributors.keys)) {
                let sets = records.compactMap { $0.contributors[part] }
                var classes: [[Bool]: Int] = [:]
                for number in 0..<300 {
                    let list = sets.map { $0.contains(number) }
                    if list.contains(true) { classes[list, default: 0] += 1 }
                }
                smallest = min(smallest, classes.values.min() ?? .max)
            }
        }
        return smallest
    }

    /// The smallest nonzero number of people by which two answers with a common hour differ.
    private func smallestDifference(_ history: CohortHistory) -> Int {
        var smallest = Int.max
        for (index, one) in history.records.enumerated() {
            for other in history.records[..<index]
            where one.question.window.overlaps(other.question.window) {
                for (part, people) in one.contributors {
                    guard let others = other.contributors[part] else { continue }
                    let difference = (0..<300).count {
                        people.contains($0) != others.contains($0)
                    }
                    if difference > 0 { smallest = min(smallest, difference) }
                }
            }
        }
        return smallest
    }
}
