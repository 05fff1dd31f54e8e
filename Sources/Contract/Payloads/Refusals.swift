/// What was wrong with the elements of an array, told in sum: of many the first fields and how
/// many were refused. What is not told costs nothing but that it was read.
struct Refusals {
    private var count = 0
    private var first: Problem?
    private var errors: [Problem.FieldError] = []

    /// Fields that are told.
    private static let maximumErrors = 16

    /// Reads an element; one that is refused is read again to say why, while there is room for it.
    ///
    /// - Returns: nil where it was refused.
    mutating func read<Element>(
        _ index: Int, _ read: (_ prefix: String, _ isTold: Bool) throws(Problem) -> Element
    ) -> Element? {
        do throws(Problem) {
            return try read("", false)
        } catch {
            count += 1
            guard errors.count < Refusals.maximumErrors else { return nil }
        }
        do throws(Problem) {
            return try read("[\(index)].", true)
        } catch {
            first = first ?? error
            errors += error.errors
            return nil
        }
    }

    /// Nil where nothing was refused. Of the kind of the first.
    var problem: Problem? {
        guard var problem = first else { return nil }
        problem.errors = Array(errors.prefix(Refusals.maximumErrors))
        guard problem.kind == .invalid, count > 1 else { return problem }
        let whole = Problem(invalid: problem.errors)
        guard errors.count >= Refusals.maximumErrors else { return whole }
        problem.detail = "\(whole.detail.dropLast()), and more: \(count) were refused."
        return problem
    }
}
