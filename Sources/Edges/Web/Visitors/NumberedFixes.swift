internal import Contract
internal import JSON

/// Fixes as sent, and their numbers.
struct NumberedFixes: Sendable {
    let payload: [UInt8]
    let numbers: Set<Int64>

    /// The highest number; nil if there is none.
    var last: Int64? { numbers.max() }

    /// Checks only the numbers; the bridge reports other errors in a fix.
    ///
    /// - Parameter payload: a fix, or an array of them.
    /// - Throws: `malformed`, `too-large`, or `invalid` for impossible numbers, which would never
    ///   get a receipt.
    init(_ payload: [UInt8]) throws(Problem) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue.parse(payload) } catch { throw Problem(error) }
        let fixes: [JSONValue]
        switch value {
        case .object: fixes = [value]
        case .array(let elements): fixes = elements
        default:
            throw Problem(invalid: [.init(field: "payload", reason: "must be an object")])
        }
        guard fixes.count <= FixLimits.maximumCount else {
            throw Problem(.tooLarge, "A message may have at most \(FixLimits.maximumCount) fixes.")
        }
        let range = FixLimits.sequenceRange
        var numbers: Set<Int64> = []
        var errors: [Problem.FieldError] = []
        for (index, fix) in fixes.enumerated() {
            guard let told = fix["seq"], told != .null else { continue }
            if let number = told.integer, range.contains(number) {
                numbers.insert(number)
            } else {
                let field = value == fix ? "seq" : "[\(index)].seq"
                let rule = "a whole number from \(range.lowerBound) to \(range.upperBound)"
                errors.append(.init(field: field, reason: "must be \(rule)"))
            }
        }
        guard errors.isEmpty else { throw Problem(invalid: errors) }
        self.payload = payload
        self.numbers = numbers
    }
}
