/// A part of an answer. Each has at least k contributors, or is left out.
public enum Part: Hashable, Sendable, LosslessStringConvertible {
    /// All people who contributed anything.
    case people
    case quantity(Quantity)
    case presence(Presence)

    /// Returns the noise of each number of this part in an answer that costs the given loss.
    ///
    /// The loss is divided: a twelfth for the people and for each of the seven quantities, where
    /// one person changes one number by one; four twelfths for presence, where it is one number for
    /// each hour of the day. So the scale is (numbers that a person changes) / (share · loss).
    func noise(for question: CohortQuestion, costing loss: Epsilon) -> DiscreteLaplace {
        let (share, changes) =
            switch self {
            case .people, .quantity: (1, 1)
            case .presence: (4, min(Presence.hours, question.window.count))
            }
        return DiscreteLaplace(scale: changes * 12 * 1000, over: share * loss.thousandths)
    }

    // MARK: Text

    public var description: String {
        switch self {
        case .people: "people"
        case .quantity(let quantity): quantity.name
        case .presence(let place): "\(place.hour) \(place.cell)"
        }
    }

    public init?(_ text: String) {
        if text == "people" {
            self = .people
        } else if let quantity = Quantity(name: text) {
            self = .quantity(quantity)
        } else {
            let words = text.split(separator: " ")
            guard words.count == 2, let hour = Int(words[0]), let cell = Int64(words[1]),
                (0..<Presence.hours).contains(hour)
            else { return nil }
            self = .presence(Presence(hour: hour, cell: cell))
        }
    }
}
