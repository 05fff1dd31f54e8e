import Contract
import Logging

extension DispatchOutcome {
    /// A way to dispatch that fails is named, whoever is in need is not.
    func logFailure(_ logger: Logger) {
        guard case .failed(let failure) = result else { return }
        logger.error(
            "A way to dispatch has failed. See docs/emergency.md.",
            metadata: [
                "way": "\(way)", "place": "\(key.way + 1)", "reason": "\(failure.rawValue)",
            ])
    }
}
