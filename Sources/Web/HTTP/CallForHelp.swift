internal import Contract

/// Requests for which there is room besides all others.
enum CallForHelp {
    static func isOne(_ method: String) -> Bool {
        method == Method.triggerSOS.name || Method.named(method)?.isUrgent ?? false
    }

    /// - Parameter path: of a request.
    static func isAt(_ path: String) -> Bool {
        path.hasPrefix("/api/") && isOne(String(path.dropFirst(5)))
    }
}
