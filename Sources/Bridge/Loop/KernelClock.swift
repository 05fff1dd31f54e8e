internal import CMalloc
internal import Glibc

/// The machine's clock, as the kernel knows it (`adjtimex(2)`).
public enum KernelClock {
    /// Whether a time server has set it; nil if that cannot be asked.
    public static var isSynchronised: Bool? {
        var state = timex()
        let answer = adjtimex(&state)
        return answer < 0 ? nil : answer != TIME_ERROR && state.status & STA_UNSYNC == 0
    }
}
