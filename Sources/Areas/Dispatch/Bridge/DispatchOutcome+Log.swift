internal import Contract
package import Logging

extension DispatchOutcome {
    /// Logs a failure by naming the way to dispatch, but not the person in need.
    package func logFailure(_ logger: Logger) {
        guard case .failed(let failure) = result else { return }
        logger.error(
            "A way to dispatch has failed. See docs/emergency.md.",
            metadata: [
                "way": "\(way)", "place": "\(key.way + 1)", "reason": "\(failure.rawValue)",
            ])
    }
}
