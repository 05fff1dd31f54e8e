internal import Contract

/// Requests with reserved capacity.
enum CallForHelp {
    static func isOne(_ method: String) -> Bool {
        method == Method.triggerSOS.name || Method.named(method)?.isUrgent ?? false
    }

    /// - Parameter path: a request's path.
    static func isAt(_ path: String) -> Bool {
        path.hasPrefix("/api/") && isOne(String(path.dropFirst(5)))
    }
}
