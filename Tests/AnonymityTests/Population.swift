import Tracking

@testable import Anonymity

/// Test people with their contributions.
struct Population {
    struct Person {
        var age: Int
        var gender = "female"
        var residence = "como"
        var heartRate = 72.0
        var cell: Int64 = 1
        var hasData = true
    }

    /// By contributor number. An erased person is removed; their number stays taken.
    private(set) var people: [Int: Person] = [:]
    private var nextNumber = 0

    @discardableResult
    mutating func enter(_ person: Person, times: Int = 1) -> Int {
        for _ in 0..<times {
            people[nextNumber] = person
            nextNumber += 1
        }
        return nextNumber - 1
    }

    mutating func leave(_ number: Int) { people[number] = nil }
    mutating func change(_ number: Int, _ change: (inout Person) -> Void) {
        guard var person = people[number] else { return }
        change(&person)
        people[number] = person
    }

    func tally(_ question: CohortQuestion) -> CohortTally {
        var tally = CohortTally(of: question)
        for (number, person) in people.sorted(by: { $0.key < $1.key }) where person.hasData {
            guard
                question.filter.includes(
                    age: person.age, gender: person.gender, residence: person.residence)
            else { continue }
            var contribution = Contribution()
            contribution.add(person.heartRate, of: .heartRate)
            contribution.add(Presence(hour: 8, cell: person.cell))
            tally.add(contribution, of: number)
        }
        return tally
    }
}

/// A town, its history and a seeded random source.
struct CohortService {
    var town = Population()
    var history = CohortHistory()
    var policy = CohortPolicy(
        k: 5, cost: Epsilon(thousandths: 1000), requesterBudget: Epsilon(thousandths: 1_000_000),
        dataBudget: Epsilon(thousandths: 1_000_000))
    var chance: SplitMix64

    init(seed: UInt64 = 1) { chance = SplitMix64(seed: seed) }

    mutating func ask(
        _ filter: CohortFilter, in window: Range<Int> = 0..<24, by requester: String = "one"
    ) -> CohortHistory.Decision {
        let question = CohortQuestion(filter, in: window)
        if let answer = history.answer(to: question) { return .known(answer) }
        let decision = history.decide(
            town.tally(question), by: requester, under: policy, using: &chance)
        if case .new(let record) = decision { history.append(record) }
        return decision
    }
}

extension CohortHistory.Decision {
    var answer: CohortAnswer? {
        switch self {
        case .known(let answer): answer
        case .new(let record): record.answer
        case .refused: nil
        }
    }
    var isNew: Bool { if case .new = self { true } else { false } }
    var isKnown: Bool { if case .known = self { true } else { false } }
    var refusal: CohortRefusal? { if case .refused(let why) = self { why } else { nil } }
}

extension Epsilon {
    static func of(_ units: Int) -> Epsilon { Epsilon(thousandths: units * 1000) }
}
