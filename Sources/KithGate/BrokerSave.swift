internal import Glibc

/// Has the broker write all that it keeps to disk.
enum BrokerSave {
    /// The broker does it in the next round of its loop: SIGUSR1 is its documented order for that.
    static func order() {
        // Without the broker's handler the signal would end it.
        var action = sigaction()
        guard unsafe sigaction(SIGUSR1, nil, &action) == 0,
            unsafe action.__sigaction_handler.sa_handler != nil
        else { return }
        kill(getpid(), SIGUSR1)
    }
}
