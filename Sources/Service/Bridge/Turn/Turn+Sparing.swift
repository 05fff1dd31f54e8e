import Contract

/// Limits on a full disk.
extension Turn {
    /// Whether the request is refused because the disk is full: it would use the space for calls
    /// for help.
    func lacksRoom(for method: String) -> Bool {
        isSparing && Method.named(method)?.isDoneOnFullDisk == false
    }

    static let noRoom = Problem(
        .diskFull,
        "The service's disk is full: it accepts only calls for help.")
}
