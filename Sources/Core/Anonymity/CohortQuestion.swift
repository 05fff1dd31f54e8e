/// A filter and a closed window. The same question has one answer.
public struct CohortQuestion: Hashable, Sendable {
    public let filter: CohortFilter
    /// Whole hours since the epoch, half-open. The caller asks only about hours that have ended.
    public let window: Range<Int>

    public init(_ filter: CohortFilter, in window: Range<Int>) {
        precondition(!window.isEmpty, "a window has at least one hour")
        (self.filter, self.window) = (filter, window)
    }
}
