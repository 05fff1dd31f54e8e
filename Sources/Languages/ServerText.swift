/// All texts that the server makes itself: for notifications, mails and OwnTracks apps. Each is the key
/// of its translations in `pages/languages`.
public enum ServerText: String, Hashable, Sendable, CaseIterable {
    // MARK: Alerts
    case journeyStarted = "{name} is on the way to {place} and expects to arrive by {time}."
    case journeyStartedSomewhere =
        "{name} is on the way to the destination and expects to arrive by {time}."
    case checkInStarted = "{name} is all right until {time}."
    case journeyStopped = "{name} has stopped the journey to {place}."
    case journeyStoppedSomewhere = "{name} has stopped the journey to the destination."
    case checkInStopped = "{name} is all right."
    case journeyArrived = "{name} has arrived at {place}."
    case journeyArrivedSomewhere = "{name} has arrived at the destination."
    case late = "{name} has not arrived at {place} by {time}."
    case lateSomewhere = "{name} has not arrived at the destination by {time}."
    case checkInLate = "{name} has not said by {time} that they are all right."
    case theTimeGiven = "the time given"
    case stuck = "{name} has not moved for a while."
    case moving = "{name} is moving again."
    case offline = "{name} has gone offline."
    case online = "{name} is back."
    case silent = "{name} is connected, but no position has come for a while."
    case sos = "{name} has sent an SOS and needs help!"
    case journeyWaits = "The journey goes on when the SOS is over."
    case journeyGoesOn = "The journey goes on."
    case callClockWrong = "A clock is wrong, so the time of the call is when it arrived."
    case sosStopped = "{name} has ended the SOS."
    case sosLeft = "{name} has left the group in an SOS, which is not over."
    case inNeed = "{name} may need medical help: their vital signs say so."
    case unanswered = "Nobody who sends help has answered yet for {name}."
    case callNumber = "Please call {number} yourself."
    case callForHelp = "Please call for help yourself."
    case assisted = "Somebody says that they help {name}."
    case vitalsSilentOfOther = "No vital signs of {name} have come for a while."
    case vitalsBackOfOther = "Vital signs of {name} are being received again."
    case noPosition = "No position is known."
    case positionMinutesOld = "The last position is {minutes} min old."
    case positionHoursOld = "The last position is {hours} h old."
    case positionDaysOld = "The last position is {count} days old."
    case lastSeen = "Last seen: {place}."
    case kilometresNorth = "{distance} km north of {city}"
    case kilometresNortheast = "{distance} km northeast of {city}"
    case kilometresEast = "{distance} km east of {city}"
    case kilometresSoutheast = "{distance} km southeast of {city}"
    case kilometresSouth = "{distance} km south of {city}"
    case kilometresSouthwest = "{distance} km southwest of {city}"
    case kilometresWest = "{distance} km west of {city}"
    case kilometresNorthwest = "{distance} km northwest of {city}"
    // MARK: Titles, and what is sent for other reasons
    case sosTitle = "{name}: SOS"
    case inGroup = "{text} ({group})"
    case toldLater = "At {time}: {text}"
    case reachTitle = "Kith can reach you here"
    case reachCheck = "Nothing has happened."
    case reachTest = "This is the test that you asked for."
    case heldTitle = "{count} messages in your quiet hours"
    case heldAlerts = "{count} of them: somebody was late, stuck, offline or silent."
    case heldShown = "Kith shows them all."
    case codeTitle = "Your code for Kith: {code}"
    case code =
        "Somebody wants to be told things by Kith at this address. If it was you, type in this code: {code}. If not, ignore this mail: nothing else is sent here."
    case newPasswordTitle = "A new password for Kith"
    case newPassword =
        "Somebody has asked for a new password for the account {user}. If it was you, set one with this link. It works once, for a day. If it was not you, do nothing: without this mail nobody can set one."
    case confirmTitle = "Your account at Kith"
    case confirmAddress =
        "There is an account {user} with this address now. If it is yours, confirm the address with this link. It works once, for three days. If you have not made that account, do nothing."
    // MARK: Notices
    case clockFast = "The clock of your device {device} is {minutes} min fast."
    case clockSlow = "The clock of your device {device} is {minutes} min slow."
    case clockWrong =
        "The clock of your device {device} is wrong, so its positions are refused."
    case clockCorrected =
        "The clock of your device {device} is wrong. Kith corrects the times of its positions."
    case callOver =
        "A call for help that you made before you ended the SOS arrived late. Nobody was alerted: if you still need help, call again."
    case helperComing = "{name} is coming."
    case helperNotComing = "{name} is not coming after all."
    case helperCalled = "{name} has called the emergency number."
    case somebody = "Somebody"
    case addedToGroup = "You were added to the group {group}."
    case addedToGroupBy = "You were added to the group {group} by {by}."
    case addedToGroupByYou = "You were added to the group {group} by you."
    case otherAddedToGroup = "{name} was added to the group {group}."
    case otherAddedToGroupBy = "{name} was added to the group {group} by {by}."
    case otherAddedToGroupByYou = "{name} was added to the group {group} by you."
    case removedFromGroup = "You were removed from the group {group}."
    case removedFromGroupBy = "You were removed from the group {group} by {by}."
    case removedFromGroupByYou = "You were removed from the group {group} by you."
    case observerAdded = "A program sees what the group {group} sees: {label}."
    case observerAddedBy = "{by} lets a program see what the group {group} sees: {label}."
    case observerAddedByYou =
        "You let a program see what the group {group} sees: {label}. Was it not you? End it."
    case observerEnded = "Your program {label} was ended: it sees nothing of the group {group} now."
    case nobodyFollows = "Nobody follows your journey any more."
    case invitedToGroup = "You are invited to the group {group}."
    case invitedToGroupBy = "You are invited to the group {group} by {by}."
    case invitedToGroupByYou = "You are invited to the group {group} by you."
    case friendAdded = "{name} added you as a friend."
    case locationShared = "{name} shows you where they are."
    case sharingReminder =
        "Your position is seen by {groups} and {friends}. Is that still what you want?"
    case groupCount = "{count} groups"
    case friendCount = "{count} friends"
    case sharingEnded = "The group {group} no longer sees where you are: the time is over."
    case newLogin =
        "{device} has logged in to your account. Was it not you? Change your password."
    case loggedOutForRoom = "{device} was logged out, because another device has logged in."
    case loggedOutUnused = "{device} was logged out, because it was not used for long."
    case loggedOutLeft =
        "{device} was logged out, because your organisation does not know you any more."
    case loggedOutUnconfirmed =
        "{device} was logged out: log in again with your organisation's password."
    case passwordChanged =
        "Your password was changed. Was it not you? Tell whoever runs this server."
    case passwordForgotten =
        "Somebody has asked for a new password for your account. A link was sent to your address; without it nobody can set one."
    case emailChanged = "The address of your account was changed."
    case secondFactorOn = "Logging in to your account needs a code from now on."
    case secondFactorOff = "Logging in to your account needs no code from now on."
    case passkeyAdded =
        "The passkey {label} can log in to your account from now on. Was it not you? Remove it."
    case passkeyRemoved = "The passkey {label} can no longer log in to your account."
    case channelAdded = "{label} now receives your notifications. Was it not you? Remove it."
    case channelRemoved = "{label} is told none of your news any longer."
    case channelLost = "{label} can no longer be reached: turn notifications on there again."
    case consentRequested = "{name} asks for your data. It gets nothing before you agree."
    case numberClaimed =
        "Somebody else has entered the same social security number as you. Who asks by that number reaches both of you. If yours is right, tell whoever runs this server."
    case serviceAdded = "{name} may have your data from now on. Was it not you? Remove it."
    case serviceEnded =
        "{name} of {company} no longer exists. It can read nothing of yours any more."
    case dataDeleted =
        "A user has deleted some of the data that you may have. Delete it as well."
    case vitalsEnded =
        "A user no longer has vital signs stored, and has deleted them. Delete yours as well."
    case consentGiven = "{name} lets you have their data."
    case consentRefused = "A user has refused to let you have their data."
    case consentRevoked = "{name} no longer lets you have their data."
    case areYouAllRight =
        "Are you all right? Your vital signs are unusual. Say so by {time}, or help is called."
    case questionOver = "Your vital signs are as usual again. Nobody was called."
    case helpCalled =
        "Help is being called for you, because of your vital signs. If you can, call the emergency number yourself."
    case helpAcknowledged =
        "Dispatch has acknowledged the call for you: help is on its way. If you need no more help, say so."
    case helpClosed =
        "Dispatch has closed the call for you. If you need no more help, say so: then your vital signs are watched again."
    case helpUnanswered =
        "No dispatcher has answered the call for you. If you can, call the emergency number yourself."
    case helpCalledOff =
        "You said that you need no more help, and dispatch is being notified. If that was not you, call for help again."
    case vitalsSilent =
        "No vital signs of yours have come for a while: nobody would notice if you needed help. Is your watch on?"
    case vitalsBack = "Your vital signs are being received again."
    case monitoringBegan =
        "Your vital signs are watched from now on. Was it not you? Change your password."
    case monitoringChanged =
        "How your vital signs are watched was changed. Was it not you? Look at it, and change your password."
    case monitoringEnded =
        "Your vital signs are no longer watched: nobody is called because of them. Was it not you? Change your password."
    case runCancelled = "The run {run} will not take place."
    case runChanged = "The run {run} has been changed. Look at it again."
    case runStarting =
        "The run {run} starts at {time}. From then until you finish everybody sees where you are on the course."
    case reminder = "{place}: {text}"
    case placeArrived = "{name} has arrived at {place}, at {time}."
    case placeLeft = "{name} has left {place}, at {time}."
    case placeMissed = "{name} was not at {place} by {time}."
    case placeMissedUnknown =
        "{name} was not seen at {place} by {time}. It is not known where they are."
    case placeRuleAsked =
        "{name} asks that somebody is told when you arrive at, leave or are not at {place}. Nobody is told before you agree."
    case placeRuleAgreed = "{name} agrees to your rule for {place}."
    case placeRuleRefused =
        "{name} does not agree to your rule for {place}: nobody is told of them."
    case placeRuleEnded = "A rule for {place} has ended: nobody is told by it any longer."
    case placeChanged =
        "{name} has changed the place {was}: it is called {place}, {metres} m from where it was, with a radius of {radius} m instead of {before} m."
    case placeChangedConfirm =
        "{name} has changed the place {was}: it is called {place}, {metres} m from where it was, with a radius of {radius} m instead of {before} m. Your rules there say nothing about arrivals until you confirm it."
    case nobodyLeft =
        "Nobody else is left in any of your groups: an SOS would reach nobody. Invite somebody, or call the emergency number yourself."
    case oneLeft =
        "Only {name} is left in your groups, after others were removed: an SOS would reach nobody else. Invite somebody, or call the emergency number yourself."
    case invitationMailTitle = "An invitation to Kith"
    case invitationMail =
        "{name} invites you to a group. The link shows who is in it and lets you join, once. If you do not know {name}, do nothing: nobody learns anything about you."
    case maintenance =
        "From {from} to {to} nobody watches your vital signs, and no help is called because of them. {text}"
    case maintenanceMoved = "The time of the maintenance has changed."
    case maintenanceCancelled =
        "The maintenance from {from} to {to} does not take place: your vital signs are watched then."
    case announcedLate = "This was announced late."

    /// What is said of one, where the number in `{count}` decides about the words.
    public var one: String? {
        switch self {
        case .groupCount: "1 group"
        case .friendCount: "1 friend"
        case .heldTitle: "1 message in your quiet hours"
        case .heldAlerts: "1 of them: somebody was late, stuck, offline or silent."
        case .positionDaysOld: "The last position is 1 day old."
        default: nil
        }
    }
}
