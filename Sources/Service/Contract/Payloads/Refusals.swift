/// The errors in an array's elements: one problem per kind, however many there are.
struct Refusals {
    private struct Kind {
        let first: Problem
        var count = 0
        var errors: [Problem.FieldError] = []
    }

    /// The kinds, in the order of detection.
    private var kinds: [Kind] = []

    /// The maximum number of fields that are reported.
    static let maximumErrors = 16

    /// Reads an element; a refused element is read again for the reasons, while there is room for
    /// them.
    ///
    /// - Returns: the element, or the kind of problem.
    mutating func read<Element>(
        _ index: Int, _ read: (_ prefix: String, _ isTold: Bool) throws(Problem) -> Element
    ) -> Reading<Element> {
        do throws(Problem) {
            return .taken(try read("", false))
        } catch {
            let kind = error.kind
            let place = kinds.firstIndex { $0.first.kind == kind }
            if let place {
                kinds[place].count += 1
                guard kind == .invalid, kinds[place].errors.count < Refusals.maximumErrors else {
                    return .refused(kind)
                }
            }
            do throws(Problem) {
                return .taken(try read("[\(index)].", true))
            } catch {
                if place == nil { kinds.append(Kind(first: error, count: 1)) }
                kinds[place ?? kinds.count - 1].errors += error.errors
                return .refused(kind)
            }
        }
    }

    enum Reading<Element> {
        case taken(Element)
        case refused(Problem.Kind)
    }

    /// One problem of each kind; empty if nothing was refused.
    var problems: [Problem] { kinds.map(Refusals.problem) }

    private static func problem(_ kind: Kind) -> Problem {
        var problem = kind.first
        problem.errors = Array(kind.errors.prefix(Refusals.maximumErrors))
        guard problem.kind == .invalid, kind.count > 1 else { return problem }
        let whole = Problem(invalid: problem.errors)
        guard kind.errors.count >= Refusals.maximumErrors else { return whole }
        problem.detail = "\(whole.detail.dropLast()); \(kind.count) were rejected in total."
        return problem
    }
}
