/// The exact counts of a question, which are never disclosed: contributions are added one by one,
/// and `CohortHistory` turns them into an answer.
///
/// Grows with people, not with samples: at most 24 presences for each person, and a few bits.
public struct CohortTally: Sendable {
    public let question: CohortQuestion
    private(set) var people = ContributorSet()
    private var counts = Quantity.allCases.map { [Int](repeating: 0, count: $0.bands.count) }
    private var contributors = Quantity.allCases.map { _ in ContributorSet() }
    private var visitors: [Presence: [Int]] = [:]

    public init(of question: CohortQuestion) { self.question = question }

    /// Adds a cohort member's contribution, once for each person.
    public mutating func add(_ contribution: Contribution, of contributor: Int) {
        if contribution.isEmpty { return }
        precondition(people.insert(contributor), "a person contributes once")
        for quantity in Quantity.allCases {
            guard let band = contribution.band(of: quantity) else { continue }
            counts[quantity.rawValue][band] += 1
            contributors[quantity.rawValue].insert(contributor)
        }
        for presence in contribution.presences {
            visitors[presence, default: []].append(contributor)
        }
    }

    /// Returns the parts with at least k contributors beside `people`, in an order that depends
    /// only on the counts.
    func parts(k: Int) -> [(part: Part, contributors: ContributorSet, counts: [Int])] {
        let quantities = Quantity.allCases.map { quantity in
            (Part.quantity(quantity), contributors[quantity.rawValue], counts[quantity.rawValue])
        }.filter { $0.1.count >= k }
        let presences = visitors.filter { $0.value.count >= k }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .prefix(Self.mostPresences)
            .map { presence, visitors in
                (Part.presence(presence), ContributorSet(visitors), [visitors.count])
            }
        return quantities + presences
    }

    /// The maximum number of presences in an answer: those with the most people.
    static let mostPresences = 240
}

extension ContributorSet {
    fileprivate init(_ numbers: [Int]) {
        self.init()
        for number in numbers { insert(number) }
    }
}
