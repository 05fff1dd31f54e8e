#if DEBUG
@testable import Web

/// The page's; the core has another type of this name.
typealias PageRefusal = Refusal
#endif
