package attempts

const keyctl = 219
