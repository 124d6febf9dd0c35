/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crypto.h - what the longer instructions of Zbc, Zbkx, Zknd, Zkne and Zksed compute: a is rs1, b
 * is rs2.  The door of sim/crypto.  op/int.h uses them, and has the shorter ones itself; vectors
 * compute their ciphers with them, too.
 */
#ifndef SIM_CRYPTO_H
#define SIM_CRYPTO_H

#include <stdint.h>

uint64_t crypto_clmul(uint64_t a, uint64_t b); /* the lower half of the product */
uint64_t crypto_clmulh(uint64_t a, uint64_t b); /* the upper half */
uint64_t crypto_xperm4(uint64_t a, uint64_t b);
uint64_t crypto_xperm8(uint64_t a, uint64_t b);

/* A last round without its key, encrypting and decrypting; MixColumns and its inverse. */
uint64_t crypto_aes64es(uint64_t a, uint64_t b);
uint64_t crypto_aes64ds(uint64_t a, uint64_t b);
uint64_t crypto_aes64mix(uint64_t a);
uint64_t crypto_aes64im(uint64_t a);
uint64_t crypto_aes64ks1i(uint64_t a, unsigned round); /* round: at most 10 */

uint64_t crypto_sm4ed(uint64_t a, uint64_t b, unsigned byte);
uint64_t crypto_sm4ks(uint64_t a, uint64_t b, unsigned byte);

#endif
